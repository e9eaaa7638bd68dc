import { limits } from '@atrium/contract/limits.ts'
import { apiOrigin, fillPath, toSearch } from './address.ts'
import { ApiError, readFailure, toApiError } from './api-error.ts'
import { openProof } from './proof.ts'
import { saveBlob } from './save-blob.ts'
import { authorization, noteFailure } from './transport.ts'

/** The server streams long lists, which takes longer than the timeout of a call. */
const tableAbortMs = 10 * limits.requestAbortMs

/** Fetches a table with the session, which a link cannot carry, and saves it as a download. */
export function saveTable(
  path: string,
  input: Record<string, unknown>,
  name: string,
  onBytes?: OnBytes,
): Promise<void> {
  const { path: filled, rest } = fillPath(path, input)
  return saveAnswer({ path: `${filled}${toSearch(rest)}`, method: 'GET', name, onBytes })
}

type OnBytes = (bytes: number) => void
type Asked = { path: string; method: 'GET' | 'POST'; name: string; onBytes?: OnBytes | undefined }

/** Saves any answer that is a file. As for other calls, one that asks for a proof was not executed and is repeated after it. */
export async function saveAnswer(asked: Asked): Promise<void> {
  try {
    await save(asked)
  } catch (error) {
    const isUnproven = error instanceof ApiError && error.code === 'proof_required'
    if (!isUnproven || !(await openProof())) throw error
    await save(asked)
  }
}

async function save({ path, method, name, onBytes = () => undefined }: Asked): Promise<void> {
  try {
    const response = await fetch(`${apiOrigin()}${path}`, {
      method,
      credentials: 'include',
      headers: { ...authorization(), ...(method === 'POST' && { 'content-type': 'application/json' }) },
      ...(method === 'POST' && { body: '{}' }),
      signal: AbortSignal.timeout(tableAbortMs),
    })
    if (!response.ok) throw readFailure(response.status, await response.json().catch(() => null), null)
    saveBlob(await readReporting(response, onBytes), name)
  } catch (thrown) {
    const error = toApiError(thrown)
    noteFailure(error)
    throw error
  }
}

/** Reads the body and reports the bytes received; the total is unknown until the end. */
async function readReporting(response: Response, onBytes: OnBytes): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value)
    bytes += part.value.byteLength
    onBytes(bytes)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? 'text/csv' })
}
