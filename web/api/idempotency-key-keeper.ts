import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError, notSent } from './api-error.ts'

/**
 * One idempotency key for one filled form, until the server has said what became of it. It takes each key once, whatever is in
 * the form: sent again as it was, it is answered as it was; changed in between, either the first or the second is done, never
 * both. So a key is replaced only after the server has named it as used, or does not know it.
 */
export type IdempotencyKeyKeeper = {
  /** Sends with the form's key. Whoever has left (`stop`) sends nothing any more. */
  send: <Answer>(work: (token: string, signal: AbortSignal) => Promise<Answer>) => Promise<Answer>
  /** For a key that is spent although nothing was created: what ended with a no is ended. */
  forget: () => void
  /** An attempt may have been carried out without an answer, and no later one has settled that. */
  isInDoubt: () => boolean
  /** Something was sent that was done, or may have been. */
  mayBeDone: () => boolean
  start: () => void
  stop: () => void
}

type Options = {
  /** Whether the page is being left already, although it still stands there. */
  isLeaving?: () => boolean
}

export function createIdempotencyKeyKeeper(
  fetchToken: () => Promise<string>,
  { isLeaving }: Options = {},
): IdempotencyKeyKeeper {
  let kept: Promise<string> | null = null
  let isInDoubt = false
  let mayBeDone = false
  let life = new AbortController()

  const forget = () => {
    kept = null
    isInDoubt = false
    mayBeDone = false
  }
  const token = async (): Promise<string> => {
    const mine = kept ?? fetchToken()
    kept = mine
    try {
      return await mine
    } catch (error) {
      // One that never came must not be waited for again, and without it nothing was sent.
      if (kept === mine) kept = null
      if (!(error instanceof ApiError && error.isOutcomeUnknown)) throw error
      throw notSent(error.status === 0 ? outcomeTexts.notReached : texts.requestFailed)
    }
  }
  return {
    async send(work) {
      const { signal } = life
      const mine = await token()
      if (signal.aborted || isLeaving?.()) throw notSent(texts.requestFailed)
      mayBeDone = true
      try {
        const answer = await work(mine, signal)
        isInDoubt = false
        return answer
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const wasInDoubt = isInDoubt
        if (error.code === 'nonce_unknown' || error.code === 'nonce_reused') forget()
        if (error.isOutcomeUnknown) isInDoubt = true
        mayBeDone = isInDoubt
        throw wasInDoubt && error.code === 'nonce_reused' ? earlierAttemptDone() : error
      }
    },
    forget,
    isInDoubt: () => isInDoubt,
    mayBeDone: () => mayBeDone,
    start() {
      if (life.signal.aborted) life = new AbortController()
    },
    stop: () => life.abort(),
  }
}

const earlierAttemptDone = () =>
  new ApiError({ code: 'nonce_reused', message: outcomeTexts.earlierAttemptDone, status: 409 })

/** The key of a form on a page: with the page goes whatever of a submission has not been sent, while the next one still loads too. */
export function useIdempotencyKeyKeeper(fetchToken: () => Promise<string>): IdempotencyKeyKeeper {
  const router = useRouter({ warn: false }) as AnyRouter | undefined // A form in a frame has none.
  const [keeper] = useState(() => createIdempotencyKeyKeeper(fetchToken, { isLeaving: () => isLeavingPage(router) }))
  useEffect(() => {
    keeper.start()
    return keeper.stop
  }, [keeper])
  return keeper
}

/** The next page's code is still coming; the same page for another account is no leaving. */
function isLeavingPage(router: AnyRouter | undefined): boolean {
  if (router?.state.status !== 'pending') return false
  const routeOf = (pathname: string) => router.getMatchedRoutes(pathname).at(2)
  const { location, resolvedLocation } = router.state
  return resolvedLocation !== undefined && routeOf(location.pathname) !== routeOf(resolvedLocation.pathname)
}
