// Tries to take the data folders named on stdin and says which it got, for the races in data-folder.test.ts.
import { createInterface } from 'node:readline'
import { DataFolderInUseError, openDataFolder } from './data-folder.ts'

process.stdout.write('ready\n')
for await (const folder of createInterface(process.stdin)) {
  try {
    await openDataFolder(folder)
    process.stdout.write('won\n')
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error
    process.stdout.write('lost\n')
  }
}
