import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { buildFacts } from './scripts/lib/build-facts.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The admin page. Node bundles (server, app) are described in vite.node.config.ts. */
export default defineConfig({
  root: here('renderer'),
  base: '/admin/',
  plugins: [react()],
  define: buildFacts(),
  build: {
    outDir: here('dist/renderer'),
    emptyOutDir: true,
    // The first versions that know light-dark(), which the page's colours are made of.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 1500,
    // A record, so that a second page is one more line.
    rollupOptions: { input: { index: here('renderer/index.html') } },
  },
})
