import { useRef } from 'react'
import { ApiError } from './api-error.ts'

/**
 * Sends a decision about money with an idempotency key that lasts until the outcome is known, so that a retry after a lost
 * answer is not executed twice. A different decision about the same record has its own key.
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
