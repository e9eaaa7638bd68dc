import { globSync } from 'node:fs'
import type { Call } from '@atrium/contract/call.ts'

const contract = new URL('../../contract/', import.meta.url)

/** Every call that the contract defines in any file: the router must open exactly these. */
export async function contractCalls(): Promise<Call[]> {
  const files = globSync('**/*.ts', { cwd: contract, exclude: ['**/*.test.ts', 'node_modules/**'] })
  const parts: Record<string, unknown>[] = await Promise.all(files.map((file) => import(new URL(file, contract).href)))
  return [...new Set(parts.flatMap((part) => Object.values(part)).flatMap(callsIn))]
}

/** A call, or the two of a list. */
function callsIn(exported: unknown): Call[] {
  if (isCall(exported)) return [exported]
  return typeof exported === 'object' && exported !== null ? Object.values(exported).filter(isCall) : []
}

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'path' in value && 'access' in value
}
