import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Call } from '@atrium/contract/call.ts'

const contract = fileURLToPath(new URL('../../contract/', import.meta.url))

/** Every call that a contract defines in any file; of this version, the router must open exactly these. */
export async function contractCalls(folder = contract): Promise<Call[]> {
  const files = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', 'node_modules/**'] })
  const parts: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(join(folder, file)).href)),
  )
  return [...new Set(parts.flatMap((part) => Object.values(part)).flatMap(callsOf))]
}

/** A call, or the two of a list. */
function callsOf(exported: unknown): Call[] {
  if (isCall(exported)) return [exported]
  return typeof exported === 'object' && exported !== null ? Object.values(exported).filter(isCall) : []
}

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'path' in value && 'answer' in value && 'input' in value
