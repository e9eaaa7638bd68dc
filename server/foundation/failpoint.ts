/**
 * Named moments at which a test may end the process as a power cut would. The names are the steps between which
 * nothing may be lost; outside a test run none is armed and a call costs one lookup.
 */
let armed: { name: string; end(): Promise<never> | undefined } | null = null

/** Whoever reaches it ends this process. */
export function armFailpoint(name: string): void {
  armed = {
    name,
    end() {
      process.kill(process.pid, 'SIGKILL')
      return undefined
    },
  }
}

type Halt = { reached: Promise<void>; disarm(): void }

/**
 * Whoever reaches it waits there for ever: no statement after it runs, and neither does a `catch` or `finally` around it, which
 * an error thrown in its place would run. What is open then is left to whoever ends it (tests/fixtures/database/restart.ts).
 */
export function haltAt(name: Failpoint): Halt {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  armed = {
    name,
    end() {
      resolve()
      return new Promise<never>(() => undefined)
    },
  }
  const disarm = () => {
    armed = null
  }
  return { reached, disarm }
}

/** Always awaited, or a test that halts here would go on. */
export function reach(name: Failpoint): Promise<never> | undefined {
  return armed?.name === name ? armed.end() : undefined
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

/** The steps of a payout by a provider (`payments/payouts/payout-visit.ts`). */
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

/** Every list by what it is about, so that a test of kills cannot leave one out. */
export const failpointsByPath = {
  intent: failpoints,
  opening: openingFailpoints,
  payment: paymentFailpoints,
  withdrawal: withdrawalFailpoints,
  payout: payoutFailpoints,
} as const

export type Failpoint = (typeof failpointsByPath)[keyof typeof failpointsByPath][number]
