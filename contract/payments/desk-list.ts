import { choice, choiceOr, day, declareList, search, text } from '../list.ts'

export const webhookEventKinds = ['genuine', 'unverified', 'forged', 'unknown_order', 'for_staff', 'unread'] as const

/** Payment exceptions: waiting ones oldest first, closed ones newest first. */
export const exceptionsList = declareList({
  name: 'payment-cases',
  rows: 'cases',
  filters: { state: choiceOr(['waiting', 'closed'], 'waiting') },
})

/** `q`: our attempt number or the provider's reference. `since` and `until` are inclusive days in the brokerage's time zone. */
export const webhookEventsList = declareList({
  name: 'payment-notifications',
  rows: 'notifications',
  isMarkedByTime: true,
  filters: { q: search, provider: text(/^[\w-]+$/, 40), kind: choice(webhookEventKinds), since: day, until: day },
})
