import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Notification,
  Modal,
  Drawer,
  Portal,
  SegmentedControl,
  Select,
  MultiSelect,
  Skeleton,
  Tooltip,
} from '@mantine/core'

const cobalt: MantineColorsTuple = [
  '#edf2fe',
  '#e1e9ff',
  '#d2deff',
  '#c1d0ff',
  '#9eb1ff',
  '#6f8bf0',
  '#3e63dd',
  '#3358d4',
  '#2c4bb5',
  '#1f2d5c',
]

const red: MantineColorsTuple = [
  '#fff0f0',
  '#ffe0e0',
  '#ffcdce',
  '#fdbdbe',
  '#ff8589',
  '#eb6468',
  '#cd3135',
  '#c0292d',
  '#a8242a',
  '#641723',
]

const gray: MantineColorsTuple = [
  '#f9f9fb',
  '#f2f2f5',
  '#e8e8ec',
  '#e0e1e6',
  '#cdced6',
  '#70737c',
  '#60646c',
  '#4a4e57',
  '#2b2d33',
  '#1c2024',
]

const dark: MantineColorsTuple = [
  '#edeef0',
  '#cdd0d5',
  '#b0b4ba',
  '#8b9099',
  '#2e3135',
  '#26282c',
  '#1b1d20',
  '#111214',
  '#0c0d0e',
  '#070708',
]

// No font is fetched: each system's own text face, in an order that avoids the wide fallback of bare Linux.
const sans =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI Variable Text', 'Segoe UI', Inter, Roboto, Cantarell, 'Noto Sans', 'Liberation Sans', 'Helvetica Neue', Arial, sans-serif"
const mono =
  "ui-monospace, SFMono-Regular, 'Cascadia Mono', Consolas, 'JetBrains Mono', 'DejaVu Sans Mono', 'Liberation Mono', monospace"

const scrolling = { maxHeight: 240, overflowY: 'auto' } as const

export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: 6,
  colors: { cobalt, red, gray, dark },
  black: '#1c2024',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  headings: { fontWeight: '600', textWrap: 'balance' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Menus and lists open inside the page's main landmark, not after the page's end.
    Portal: Portal.extend({ defaultProps: { target: '#floating' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    // Without the placeholder the first item takes the focus; a menu may hold nothing but items.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // The list itself scrolls: a scrolling box around it could not be reached with the keyboard.
    Select: Select.extend({ defaultProps: { withScrollArea: false }, styles: { options: scrolling } }),
    MultiSelect: MultiSelect.extend({
      defaultProps: { withScrollArea: false },
      styles: { options: scrolling },
    }),
    SegmentedControl: SegmentedControl.extend({
      styles: { root: { background: 'var(--parley-track)' } },
    }),
    Drawer: Drawer.extend({ defaultProps: { attributes: { header: { role: 'none' } } } }),
    Modal: Modal.extend({
      defaultProps: {
        // The header of a dialog is not one more banner of the page.
        attributes: { header: { role: 'none' } },
        styles: {
          content: { background: 'var(--parley-card)' },
          header: { background: 'var(--parley-card)' },
          title: { fontSize: 17, fontWeight: 600, letterSpacing: '-0.01em' },
        },
        centered: true,
        padding: 'lg',
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.4, blur: 2 },
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { transition: 'pop', duration: 140 },
      },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 250, withArrow: true, events: { hover: true, focus: true, touch: false } },
    }),
    Skeleton: Skeleton.extend({ defaultProps: { 'aria-hidden': true } }),
  },
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#60646c',
    '--mantine-color-placeholder': '#70737c',
    '--mantine-color-default-border': '#d5d7de',
    '--mantine-color-error': '#c62a2f',
    '--mantine-color-anchor': '#3056cc',
    '--mantine-color-gray-light-color': '#5a5e67',
    '--parley-track': '#ebebf0',
    '--mantine-color-yellow-light': '#fff6dc',
    '--mantine-color-yellow-light-color': '#7a4d00',
    '--mantine-color-red-light': '#ffefef',
    '--mantine-color-red-light-color': '#b3262a',
    '--parley-canvas': '#f7f7f9',
    '--parley-card': '#ffffff',
    '--parley-line': '#e4e5ea',
    '--parley-hover': '#f4f5f8',
    '--parley-active': '#e9edfb',
    '--parley-active-text': '#2a4abf',
    '--parley-shadow': '0 1px 2px rgb(20 22 40 / 5%)',
    '--parley-good': '#1d7f4e',
    '--parley-warn': '#94600a',
    '--parley-bad': '#c62a2f',
    '--parley-chart-messages': '#3e63dd',
    '--parley-chart-deliveries': '#e07b2e',
    '--parley-chart-grid': '#ececf1',
    '--parley-chart-text': '#60646c',
  },
  dark: {
    '--mantine-color-body': '#111214',
    '--mantine-color-dimmed': '#a7abb3',
    '--mantine-color-placeholder': '#8b9099',
    '--mantine-color-default': '#1b1d20',
    '--mantine-color-disabled': '#26282c',
    '--mantine-color-default-border': '#34373c',
    '--mantine-color-error': '#ff8589',
    '--mantine-color-anchor': '#9eb1ff',
    '--mantine-color-gray-light-color': '#b0b4ba',
    '--parley-track': '#1d1f22',
    '--mantine-color-yellow-light': '#2b2313',
    '--mantine-color-yellow-light-color': '#f1c37a',
    '--mantine-color-red-light': '#321a1c',
    '--mantine-color-red-light-color': '#ff9c9f',
    '--mantine-color-cobalt-light': '#1f2742',
    '--mantine-color-cobalt-light-color': '#b7c5ff',
    '--parley-canvas': '#111214',
    '--parley-card': '#18191c',
    '--parley-line': '#2a2c30',
    '--parley-hover': '#1e2023',
    '--parley-active': '#1f2742',
    '--parley-active-text': '#b7c5ff',
    '--parley-shadow': 'none',
    '--parley-good': '#4cc38a',
    '--parley-warn': '#f1b45b',
    '--parley-bad': '#ff8589',
    '--parley-chart-messages': '#7d97f5',
    '--parley-chart-deliveries': '#f0944d',
    '--parley-chart-grid': '#26282c',
    '--parley-chart-text': '#a7abb3',
  },
})
