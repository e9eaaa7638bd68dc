import { choice, choiceOr, day, declareList, search, text } from '../list.ts'

export const notificationKinds = ['genuine', 'unverified', 'forged', 'unknown_order', 'for_staff', 'unread'] as const

/** Payments that a person decides about: those that wait oldest first, those that are decided newest first. */
export const casesList = declareList({
  name: 'payment-cases',
  rows: 'cases',
  filters: { state: choiceOr(['waiting', 'closed'], 'waiting') },
})

/** `q`: our number of the attempt to pay, or the provider's of the payment; the days are the brokerage's, both included. */
export const notificationsList = declareList({
  name: 'payment-notifications',
  rows: 'notifications',
  isMarkedByTime: true,
  filters: { q: search, provider: text(/^[\w-]+$/, 40), kind: choice(notificationKinds), since: day, until: day },
})
