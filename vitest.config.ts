import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{server,app,renderer,scripts,bench}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // A real server per test starts in milliseconds; what takes longer than this hangs.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    restoreMocks: true,
  },
})
