// `npm run package`: the app as people install it, in out/. `-- --dir` packs only the unpacked folder, which needs
// nothing that is not here; it is also what happens where installers cannot be made.
import { join } from 'node:path'
import { build, Platform } from 'electron-builder'
import { distOf, downloadElectron, fetchTestElectron, findElectron } from './lib/electron.ts'
import { whyBuild } from './lib/freshness.ts'
import { root } from './lib/paths.ts'
import { runScript } from './lib/run.ts'

const reason = whyBuild()
if (reason) {
  console.error(`parley: building first (${reason})`)
  if (await runScript('scripts/build.ts')) process.exit(1)
}

const official = findElectron() ?? (await downloadElectron(240))
const electron = official ?? (await fetchTestElectron())
if (!electron) {
  console.error('parley: no Electron binary to pack: the official one cannot be fetched, nor its stand-in')
  process.exit(1)
}
const unpackedOnly = process.argv.includes('--dir') || electron !== official
if (electron !== official) {
  console.error(`parley: packing only a folder, for trying out: the binary is ${electron.origin}`)
}

const files = await build({
  targets: Platform.current().createTarget(unpackedOnly ? 'dir' : undefined),
  publish: 'never',
  config: {
    extends: join(root, 'electron-builder.yml'),
    electronDist: distOf(electron),
    electronVersion: electron.version,
  },
})
console.log(files.length > 0 ? files.join('\n') : join(root, 'out'))
