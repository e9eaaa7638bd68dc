import { useRef } from 'react'
import { ApiError } from './api-error.ts'

/**
 * Sends a decision about money under a key that stays until somebody knows what became of it: pressed again after a lost answer it is
 * the same decision, not a second one. Another decision about the same has a key of its own.
 */
export function useDecisionKey() {
  const keys = useRef(new Map<string, string>())
  return async <Answer>(
    id: string,
    decision: object,
    work: (idempotency_key: string) => Promise<Answer>,
  ): Promise<Answer> => {
    const about = `${id} ${JSON.stringify(decision)}`
    const key = keys.current.get(about) ?? crypto.randomUUID()
    keys.current.set(about, key)
    try {
      const answer = await work(key)
      keys.current.delete(about)
      return answer
    } catch (error) {
      if (!(error instanceof ApiError && error.isOutcomeUnknown)) keys.current.delete(about)
      throw error
    }
  }
}
