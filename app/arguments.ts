// Which of the app's command line is meant for the server. The rest is Chromium's and Electron's.
const withValue = new Set([
  '--data-dir',
  '--host',
  '--port',
  '--queue-idle-seconds',
  '--heartbeat-seconds',
  '--log',
])
const alone = new Set(['--dev', '--demo', '--admin-from-other-machines'])

/** The options of `parley serve` among the app's arguments, as `--name=value`. */
export function pickServerArguments(argv: string[]): string[] {
  const picked: string[] = []
  for (let i = 0; i < argv.length; i++) {
    const [name, inline] = splitOnce(argv[i] ?? '')
    if (alone.has(name)) picked.push(name)
    if (!withValue.has(name)) continue
    const value = inline ?? argv[++i]
    if (value !== undefined) picked.push(`${name}=${value}`)
  }
  return picked
}

function splitOnce(argument: string): [string, string | undefined] {
  const at = argument.indexOf('=')
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)]
}
