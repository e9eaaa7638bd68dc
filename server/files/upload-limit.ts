import type { Member, Staff } from '../foundation/actor.ts'
import { refuse } from '../foundation/errors.ts'

/** Concurrent uploads per session in this process. */
const perSessionMax = 4

/** Limits concurrent uploads of one session; further ones are refused. */
export function makeUploadLimit() {
  const sessions = new Map<string, number>()

  return async <Result>({ sessionId }: Member | Staff, work: () => Promise<Result>): Promise<Result> => {
    const under = sessions.get(sessionId) ?? 0
    if (under >= perSessionMax) {
      const sentence = 'Please wait until your other uploads are done.'
      refuse('too_many_requests', sentence, { errors: { file: [sentence] }, retryAfterSeconds: 2 })
    }
    sessions.set(sessionId, under + 1)
    try {
      return await work()
    } finally {
      const left = (sessions.get(sessionId) ?? 1) - 1
      if (left > 0) sessions.set(sessionId, left)
      else sessions.delete(sessionId)
    }
  }
}
