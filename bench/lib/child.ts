// Runs one function for `serveInChild`.
process.once('message', (message) => void answer(message as Task))
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => process.exit())

interface Task {
  file: string
  name: string
  args: unknown
}

async function answer({ file, name, args }: Task): Promise<void> {
  const module = (await import(file)) as Record<string, (args: unknown) => unknown>
  process.send?.({ result: await module[name]?.(args) })
}
