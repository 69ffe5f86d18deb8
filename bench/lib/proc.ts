/** What Linux tells of a process; NaN elsewhere. */
import { readFileSync } from 'node:fs'

export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(read(pid, 'status'))?.[1] ?? Number.NaN) / 1024
}

/** Milliseconds that all threads of the process have computed for. Other programs on the machine do not count. */
export function cpuMs(pid: number): number {
  // After the name of the program, which may hold spaces: user and system time are the 12th and 13th, in ticks.
  const [user, system] = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
  return (Number(user ?? Number.NaN) + Number(system ?? Number.NaN)) * 10
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
