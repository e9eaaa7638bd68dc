import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startVirtualpaySimulator } from '../../../simulators/virtualpay/simulator.ts'
import {
  addBeside,
  readOrder,
  readWebhookEvents,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { readIntents } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { askProvider } from '../../payments/reconciliation.ts'
import { testProvider } from '../contract-tests.ts'
import { merchant, simulatorOf, underTest } from './under-test.ts'

describe('virtualpay', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)

  describe('default settings, without a separator between the signed values', () => {
    const plain = shareFixture((setup) => addBeside(setup, 'virtualpay', startVirtualpaySimulator(merchant)))

    it('moves a payment to manual review and ignores every other final status', async () => {
      const [setup, simulator] = [plain.setup(), plain.simulator()]
      for (const [word, state, why] of [
        ['approved', 'for_staff', 'unverified'],
        ['declined', 'handed_over', null],
      ] as const) {
        const { order, attempt } = await startOrder(setup, { payment_method: 'virtualpay' })
        simulator.set(attempt, word)
        assert.equal((await simulator.notify(attempt))?.status, 200)
        await readWebhookEvents(setup)
        const { transaction_id, reference, ...row } = await readOrder(setup, order)
        assert.deepEqual([row.state, row.staff_reason, reference], [state, why, null])
        assert.equal((await readIntents(setup, transaction_id)).length, 0)
      }
    })

    it('keeps a pending order open, and moves an unknown status to manual review', async () => {
      const [setup, simulator] = [plain.setup(), plain.simulator()]
      for (const [word, state, why] of [
        ['pending', 'handed_over', null],
        ['Approved', 'for_staff', 'unclear_word'],
      ] as const) {
        const { order, attempt } = await startOrder(setup, { payment_method: 'virtualpay' })
        simulator.set(attempt, word)
        assert.equal((await simulator.notify(attempt))?.status, 200)
        await readWebhookEvents(setup)
        setup.context.clock.advance(26 * 60 * 60_000)
        await askProvider(setup.system, order)
        const row = await readOrder(setup, order)
        assert.deepEqual([row.state, row.staff_reason], [state, why])
        assert.equal((await readIntents(setup, row.transaction_id)).length, 0)
      }
    })
  })
})
