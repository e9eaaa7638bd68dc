import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  creditsOf,
  type PaymentFixture,
  readNotifications,
  readOrder,
  startOrder,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import type { SharedFixture } from '../../tests/fixtures/shared-fixture.ts'
import type { Context } from '../foundation/context.ts'
import { deskCases } from '../payments/exceptions/case-queries.ts'
import { askProvider } from '../payments/reconciliation.ts'
import type { ProviderUnderTest, SimulatorUnderTest } from './provider-under-test.ts'

/** A word that no provider has, and one of theirs as another version of them may spell it. */
export const unknownWords = (known: string) =>
  [
    ['an invented word', 'MYSTERY'],
    ['a known word in another spelling', spelledAnew(known)],
  ] as const

function spelledAnew(word: string): string {
  if (!/[a-z]/i.test(word)) return `0${word}`
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`
}

/** How many payments of a provider went to manual review for this reason, as the alert is told. */
export async function reviewsOf({ metrics }: Context, provider: string, why: string): Promise<number> {
  const { values } =
    (await metrics.registry.getSingleMetric('atrium_payments_manual_review_total')?.get()) ?? assert.fail()
  return values.find(({ labels }) => labels.provider === provider && labels.why === why)?.value ?? 0
}

/** A proven word that the adapter does not know is never noted and forgotten, whichever provider says it. */
export function testUnknownWords(
  { uid, words, form, cannotBeAsked }: ProviderUnderTest,
  shared: SharedFixture<SimulatorUnderTest>,
): void {
  describe(`${uid}: a word that nobody knows`, () => {
    let setup: PaymentFixture
    let simulator: SimulatorUnderTest
    before(() => {
      setup = shared.setup()
      simulator = shared.simulator()
    })

    const start = () => startOrder(setup, { ...form, payment_method: uid, amount: '250.00' })
    const counted = () => reviewsOf(setup.context, uid, 'unclear_word')
    async function told(attempt: string, status: string): Promise<void> {
      simulator.set(attempt, status)
      await simulator.notify(attempt, { status })
      await readNotifications(setup)
    }
    async function casesOf(orderId: string) {
      const { cases } = await deskCases.read(setup.staff, { state: 'waiting', limit: 100 })
      return cases.filter(({ order }) => order._id === orderId)
    }
    const credited = async (orderId: string) => {
      const { transaction_id } = await readOrder(setup, orderId)
      return (await creditsOf(setup)).filter((credit) => credit.transaction_id === transaction_id).length
    }

    for (const [what, word] of unknownWords(words.paid)) {
      it(`told of ${what}: a case with that word and an alert, and nothing is credited`, async () => {
        const { order, attempt } = await start()
        const before = await counted()
        await told(attempt, word)
        await told(attempt, word)
        const { state, staff_reason } = await readOrder(setup, order)
        assert.deepEqual([state, staff_reason, await credited(order)], ['for_staff', 'unclear_word', 0])
        const cases = await casesOf(order)
        assert.deepEqual(
          cases.map(({ why, word: shown }) => [why, shown.includes(word)]),
          [['unclear_word', true]],
        )
        assert.equal(await counted(), before + 1)
      })

      // Some answer with a number, which has one spelling.
      if (!cannotBeAsked && !/^\d+$/.test(word))
        it(`asked and answered with ${what}: the same`, async () => {
          const { order, attempt } = await start()
          const before = await counted()
          simulator.set(attempt, word)
          await askProvider(setup.system, order)
          assert.equal((await readOrder(setup, order)).staff_reason, 'unclear_word')
          assert.equal((await casesOf(order)).length, 1)
          assert.equal(await counted(), before + 1)
        })
    }
  })
}
