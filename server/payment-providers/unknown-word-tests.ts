import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  creditsOf,
  type PaymentFixture,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import type { Context } from '../foundation/context.ts'
import { deskExceptions } from '../payments/exceptions/exception-queries.ts'
import { askProvider } from '../payments/reconciliation.ts'
import type { ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'

/** A status that no provider has, and a known one in another spelling. */
export const unknownWords = (known: string) =>
  [
    ['an invented word', 'MYSTERY'],
    ['a known word in another spelling', spelledAnew(known)],
  ] as const

function spelledAnew(word: string): string {
  if (!/[a-z]/i.test(word)) return `0${word}`
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`
}

/** The number of a provider's payments in manual review for this reason, as the alert's metric counts them. */
export async function reviewsOf({ metrics }: Context, provider: string, why: string): Promise<number> {
  const { values } =
    (await metrics.registry.getSingleMetric('atrium_payments_manual_review_total')?.get()) ?? assert.fail()
  return values.find(({ labels }) => labels.provider === provider && labels.why === why)?.value ?? 0
}

/** For every provider: a proven status that the adapter does not know always goes to manual review. */
export function testUnknownWords(
  { uid, words, form, cannotBeAsked }: ProviderUnderTest,
  shared: SharedFixture<SimulatorUnderTest>,
): void {
  describe(`${uid}: unknown statuses`, () => {
    let setup: PaymentFixture
    let simulator: SimulatorUnderTest
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    const start = () => startOrder(setup, { ...form, payment_method: uid, amount: '250.00' })
    const counted = () => reviewsOf(setup.context, uid, 'unclear_word')
    async function sendWebhook(attempt: string, status: string): Promise<void> {
      simulator.set(attempt, status)
      await simulator.notify(attempt, { status })
      await readWebhookEvents(setup)
    }
    async function exceptionsOf(orderId: string) {
      const { cases } = await deskExceptions.read(setup.staff, { state: 'waiting', limit: 100 })
      return cases.filter(({ order }) => order._id === orderId)
    }
    const credited = async (orderId: string) => {
      const { transaction_id } = await readOrder(setup, orderId)
      return (await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id).length
    }

    for (const [what, word] of unknownWords(words.paid)) {
      it(`opens a payment exception with an alert, and credits nothing, when notified of ${what}`, async () => {
        const { order, attempt } = await start()
        const before = await counted()
        await sendWebhook(attempt, word)
        await sendWebhook(attempt, word)
        const { state, staff_reason } = await readOrder(setup, order)
        assert.deepEqual([state, staff_reason, await credited(order)], ['for_staff', 'unclear_word', 0])
        const cases = await exceptionsOf(order)
        assert.deepEqual(
          cases.map(({ why, word: shown }) => [why, shown.includes(word)]),
          [['unclear_word', true]],
        )
        assert.equal(await counted(), before + 1)
      })

      // Some providers answer with a number, which has one spelling.
      if (!cannotBeAsked && !/^\d+$/.test(word))
        it(`opens a payment exception with an alert, and credits nothing, when a query is answered with ${what}`, async () => {
          const { order, attempt } = await start()
          const before = await counted()
          simulator.set(attempt, word)
          await askProvider(setup.system, order)
          assert.equal((await readOrder(setup, order)).staff_reason, 'unclear_word')
          assert.equal((await exceptionsOf(order)).length, 1)
          assert.equal(await counted(), before + 1)
        })
    }
  })
}
