// Runs before the first paint, so that a dark page never flashes white. Same key and values as the theme's own.
const kept = localStorage.getItem('mantine-color-scheme-value')
const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
