/**
 * Named points between steps at which a test may kill the process, as a power cut would. Outside tests none is armed,
 * and a call costs one comparison.
 */

let armed: { name: string; end(): Promise<void> | undefined } | null = null

/** Kills this process when the point is reached. */
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
 * Suspends at the point forever: no later statement runs, and no `catch` or `finally`, which a thrown error would run.
 * The caller cleans up what is open (tests/fixtures/database/restart.ts).
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

/** Suspends at the point once until it is resumed, so that another worker can act in between. */
export function pauseAt(name: Failpoint): { reached: Promise<void>; resume(): void } {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  const { promise: resumed, resolve: resume } = Promise.withResolvers<void>()
  armed = {
    name,
    end() {
      armed = null
      resolve()
      return resumed
    },
  }
  return { reached, resume }
}

/** Always await it, or a test that halts here would continue. */
export function reach(name: Failpoint): Promise<void> | undefined {
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

/** The steps of opening an account (`openings/`), killed one by one by their own test. */
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

/** The steps of a payout by a provider (`payments/payouts/process-payout.ts`). */
export const payoutFailpoints = [
  'payout-order.before-call',
  'payout-order.called',
  'payout-order.before-commit',
  'payout-order.asked',
] as const

/** The steps of a withdrawal, in addition to those of its intents: requested, paid out, reversed. */
export const withdrawalFailpoints = [
  'withdrawal.before-commit',
  'withdrawal.committed',
  'payout.before-commit',
  'payout.committed',
  'return.before-commit',
  'return.committed',
] as const

/** Every list by subject, so that no kill test can leave one out. */
export const failpointsByPath = {
  intent: failpoints,
  opening: openingFailpoints,
  payment: paymentFailpoints,
  withdrawal: withdrawalFailpoints,
  payout: payoutFailpoints,
} as const

export type Failpoint = (typeof failpointsByPath)[keyof typeof failpointsByPath][number]
