import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InlineConfig } from 'vite'
import { buildFacts } from './scripts/lib/build-facts.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

type Bundle = { entry: string; outDir: string; file: string; format: 'es' | 'cjs' | 'iife'; node: boolean }

/** Everything that runs outside the admin page. Bundled whole: an installed Parley has no node_modules. */
export const nodeBundles = {
  server: { entry: 'server/main.ts', outDir: 'server', file: 'main.js', format: 'es', node: true },
  app: { entry: 'app/main.ts', outDir: 'app', file: 'main.js', format: 'es', node: true },
  // A sandboxed preload can only be CommonJS, and can only require 'electron'.
  preload: { entry: 'app/preload.ts', outDir: 'app', file: 'preload.cjs', format: 'cjs', node: true },
  status: {
    entry: 'app/pages/status.ts',
    outDir: 'app/pages',
    file: 'status.js',
    format: 'iife',
    node: false,
  },
} satisfies Record<string, Bundle>

/** Stays outside: 'electron' exists only at run time, and sharp is native and optional. */
export const external = ['electron', 'sharp']

/** CommonJS libraries (sql.js, pino) ask for these two, which an ES module does not have. */
const commonJsNames = 'const __filename = import.meta.filename, __dirname = import.meta.dirname;'

export function nodeBundleConfig(name: keyof typeof nodeBundles, dist: string): InlineConfig {
  const { entry, outDir, file, format, node }: Bundle = nodeBundles[name]
  return {
    configFile: false,
    root: here('.'),
    logLevel: 'warn',
    publicDir: false,
    define: buildFacts(),
    ...(node ? { ssr: { target: 'node', noExternal: true, external } } : {}),
    build: {
      ssr: node,
      outDir: join(dist, outDir),
      emptyOutDir: false,
      target: node ? 'node20' : 'chrome120',
      // Readable stack traces in a bug report are worth more here than the bytes.
      minify: false,
      copyPublicDir: false,
      license: { fileName: `${file}.licenses.md` },
      rollupOptions: {
        input: { [file]: here(entry) },
        output: {
          format,
          entryFileNames: file,
          chunkFileNames: 'chunks/[name]-[hash].js',
          // A lone file for the sandboxed preload and the status page; the server may split lazily loaded parts.
          ...(format === 'es' ? { banner: commonJsNames } : { codeSplitting: false }),
        },
      },
    },
  }
}
