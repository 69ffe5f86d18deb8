// Runs one function for `serveInChild`.
process.once('message', async (message) => {
  const { file, name, args } = message as { file: string; name: string; args: unknown }
  const module = (await import(file)) as Record<string, (args: unknown) => unknown>
  const result = await module[name]?.(args)
  process.send?.({ result })
})
process.once('disconnect', () => process.exit())
process.once('SIGTERM', () => process.exit())
