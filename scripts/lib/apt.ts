// Installing what tests need from outside npm, where this machine lets us.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findCommand, run } from './run.ts'

let updated = false

/** Installs Debian packages as root or with a sudo that does not ask; says whether that worked. */
export async function installPackages(names: string[]): Promise<boolean> {
  const prefix = rootPrefix()
  if (!prefix || !findCommand('apt-get')) return false
  const [command = '', ...before] = prefix.concat('apt-get')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quietly = { env, stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'] }
  // A container's lists are often empty, and an old list names files that are gone.
  if (!updated && (await run(command, [...before, 'update'], quietly))) return false
  updated = true
  const exact = names.map(nameHere)
  console.error(`parley: installing ${exact.join(' ')} …`)
  return (
    (await run(command, [...before, 'install', '-y', '--no-install-recommends', ...exact], quietly)) === 0
  )
}

/** Why installPackages cannot work here, for the reason of a suite that was not run. */
export function whyNoInstall(): string {
  if (!findCommand('apt-get')) return 'there is no apt-get'
  return rootPrefix() ? 'apt-get could not install it' : 'installing needs root or a sudo without password'
}

/** On Ubuntu `chromium` is only a pointer to a snap, which containers cannot run. */
export function isUbuntu(): boolean {
  try {
    return /^ID=ubuntu$/m.test(readFileSync('/etc/os-release', 'utf8'))
  } catch {
    return false
  }
}

function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return []
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : undefined
}

/** Newer Debian and Ubuntu renamed libraries when their time became 64 bits wide. */
function nameHere(name: string): string {
  const renamed = spawnSync('apt-cache', ['policy', `${name}t64`], { encoding: 'utf8' })
  return /Candidate: [^(]/.test(renamed.stdout ?? '') ? `${name}t64` : name
}
