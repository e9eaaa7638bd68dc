import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError, notSent } from './api-error.ts'

/**
 * One idempotency key per filled form, until the outcome is known: the server replays the first answer for the same
 * input and refuses changed input, so only one of the two is executed. The key is replaced only after the server
 * reports it as used or unknown.
 */
export type IdempotencyKeyKeeper = {
  /** Sends with the form's key. After `stop` it sends nothing. */
  send: <Answer>(work: (token: string, signal: AbortSignal) => Promise<Answer>) => Promise<Answer>
  /** Discards a key that is spent although nothing was created, for example after a final refusal. */
  forget: () => void
  /** True when an attempt has an unknown outcome that no later attempt has settled. */
  isInDoubt: () => boolean
  /** True when something sent was executed or may have been. */
  mayBeDone: () => boolean
  start: () => void
  stop: () => void
}

type Options = {
  /** True when navigation away has started while the page is still shown. */
  isLeaving?: () => boolean
}

export function createIdempotencyKeyKeeper(
  fetchToken: () => Promise<string>,
  { isLeaving }: Options = {},
): IdempotencyKeyKeeper {
  let current: Promise<string> | null = null
  let isInDoubt = false
  let mayBeDone = false
  let life = new AbortController()

  const forget = () => {
    current = null
    isInDoubt = false
    mayBeDone = false
  }
  const token = async (): Promise<string> => {
    const mine = current ?? fetchToken()
    current = mine
    try {
      return await mine
    } catch (error) {
      // Drop a failed key request, so that the next attempt fetches again; nothing was sent without the key.
      if (current === mine) current = null
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

/** The key of a form on a page. Leaving the page cancels an unfinished submission, even while the next page still loads. */
export function useIdempotencyKeyKeeper(fetchToken: () => Promise<string>): IdempotencyKeyKeeper {
  const router = useRouter({ warn: false }) as AnyRouter | undefined // An embedded form has no router.
  const [keeper] = useState(() => createIdempotencyKeyKeeper(fetchToken, { isLeaving: () => isLeavingPage(router) }))
  useEffect(() => {
    keeper.start()
    return keeper.stop
  }, [keeper])
  return keeper
}

/** True while the next page loads; switching the account on the same page does not count as leaving. */
function isLeavingPage(router: AnyRouter | undefined): boolean {
  if (router?.state.status !== 'pending') return false
  const routeOf = (pathname: string) => router.getMatchedRoutes(pathname).at(2)
  const { location, resolvedLocation } = router.state
  return resolvedLocation !== undefined && routeOf(location.pathname) !== routeOf(resolvedLocation.pathname)
}
