import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'

export const machine = () => ({
  cores: availableParallelism(),
  cpu: cpus()[0]?.model.trim() ?? '',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  dataFolders: tmpdir(),
})

export function machineLine(): string {
  const { cores, cpu, memoryGb, platform, node, dataFolders } = machine()
  return `${cores} cores (${cpu}), ${memoryGb} GB, ${platform}, Node ${node.slice(1)}, data folders in ${dataFolders}`
}
