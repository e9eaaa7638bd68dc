import { termsHeader } from '@atrium/contract/terms/header.ts'
import { apiOrigin } from '../address.ts'
import { ApiError, readFailure, toApiError } from '../api-error.ts'
import { recordTerms } from '../terms-digest.ts'
import { authorization, noteFailure } from '../transport.ts'

export type StreamEvent = { name: string; data: unknown; id?: string }
type Following = {
  signal: AbortSignal
  onEvent: (event: StreamEvent) => void
  /** The id of the last event received; the server resumes after it. */
  lastId?: string | undefined
}

/** The server writes at least every fifteen seconds, so longer silence means a dead connection. */
const silenceMaxMs = 40_000

/**
 * Follows a stream of server-sent events until it ends or is aborted, and throws the same errors as a call. Uses fetch,
 * because EventSource cannot send a bearer token.
 */
export async function followEvents(path: string, { signal, onEvent, lastId }: Following): Promise<void> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const onActivity = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMaxMs)
  }
  onActivity()
  try {
    const answer = await fetch(`${apiOrigin()}${path}`, {
      credentials: 'include',
      headers: {
        accept: 'text/event-stream',
        ...authorization(),
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    recordTerms(answer.headers.get(termsHeader))
    if (!answer.ok || !answer.body) await refuse(answer)
    await readThrough(answer, (event) => onEvent(event), onActivity)
  } catch (thrown) {
    if (signal.aborted) return
    const error = toApiError(thrown)
    noteFailure(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function refuse(answer: Response): Promise<never> {
  const body: unknown = await answer.json().catch(() => null)
  throw readFailure(answer.status, body, answer.headers.get('retry-after'))
}

async function readThrough(
  answer: Response,
  onEvent: (event: StreamEvent) => void,
  onActivity: () => void,
): Promise<void> {
  const reader = answer.body?.getReader()
  if (!reader) throw new ApiError({ code: 'unreachable', message: '' })
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onActivity()
    text += decoder.decode(value, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readBlock(block)
      if (event) onEvent(event)
    }
  }
}

/** One event; null for keep-alive comments and unreadable blocks. */
export function readBlock(block: string): StreamEvent | null {
  const lines = block.split('\n')
  const fieldOf = (field: string) =>
    lines
      .find((line) => line.startsWith(`${field}:`))
      ?.slice(field.length + 1)
      .trimStart()
  const [name, data, id] = [fieldOf('event'), fieldOf('data'), fieldOf('id')]
  if (name === undefined || data === undefined) return null
  try {
    return { name, data: JSON.parse(data), ...(id !== undefined && { id }) }
  } catch {
    return null
  }
}
