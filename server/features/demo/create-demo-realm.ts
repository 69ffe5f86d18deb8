import type { Server } from '../../context.ts'

export async function createDemoRealm(_server: Server, _now: number): Promise<Record<string, string>> {
  return {}
}
