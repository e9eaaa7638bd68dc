/**
 * Named moments at which a test may end the process as a power cut would. The names are the steps between which
 * nothing may be lost; outside a test run the set is empty and a call costs one lookup.
 */
let crashAt: string | null = null

export function armFailpoint(name: string): void {
  crashAt = name
}

export function reach(name: Failpoint): void {
  if (crashAt === name) process.kill(process.pid, 'SIGKILL')
}

export const failpoints = [
  'approval.before-commit',
  'approval.committed',
  'intent.before-lease',
  'intent.leased',
  'intent.before-call',
  'intent.called',
  'intent.before-result',
  'intent.result-committed',
] as const

/** The steps of opening an account (`openings/`), killed one by one by a test of their own. */
export const openingFailpoints = [
  'opening.before-commit',
  'opening.committed',
  'opening.leased',
  'opening.called',
  'opening.before-result',
  'opening.result-committed',
] as const

/** The steps of a deposit through a payment provider (`payment-providers/`). */
export const paymentFailpoints = [
  'order.committed',
  'order.started',
  'order.handed-over',
  'notification.kept',
  'notification.verified',
  'notification.before-commit',
  'notification.applied',
] as const

/** The steps of a payout by a provider (`payment-providers/payout-visit.ts`). */
export const payoutFailpoints = [
  'payout-order.before-call',
  'payout-order.called',
  'payout-order.before-commit',
  'payout-order.asked',
] as const

/** What a withdrawal passes beside the steps of its intents: asked for, paid out, given back. */
export const withdrawalFailpoints = [
  'withdrawal.before-commit',
  'withdrawal.committed',
  'payout.before-commit',
  'payout.committed',
  'return.before-commit',
  'return.committed',
] as const

export type Failpoint =
  | (typeof failpoints)[number]
  | (typeof openingFailpoints)[number]
  | (typeof paymentFailpoints)[number]
  | (typeof withdrawalFailpoints)[number]
  | (typeof payoutFailpoints)[number]
