import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readWebhookEvents } from '../../../tests/fixtures/payments/payment-fixture.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { readTransaction } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { payByProvider } from '../../payments/payouts/payout-decision.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

describe('zotapay', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)

  it('moves a payout that waits for a page of the member to manual review, and takes its later outcome', async () => {
    const setup = shared.setup()
    await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
    const id = await debitPayout(setup, 'zotapay', await openPayee(setup, 'zotapay', { balance: '1000.00' }))
    const page = 'https://pay.zotapay.com/payout/1'
    shared.simulator().askMembersAt(page)
    assert.equal(await processLatest(setup, id), 'for_staff')
    shared.simulator().askMembersAt(null)
    const { attempt, reference, staff_reason, problem } = await latestPayout(setup, id)
    assert.deepEqual([staff_reason, problem, reference !== null], ['member_page', page, true])
    await assert.rejects(payByProvider(setup.staff, id), { code: 'illegal_move' })
    shared.simulator().set(attempt, 'APPROVED')
    await shared.simulator().notify(attempt)
    await readWebhookEvents(setup)
    assert.equal(await processLatest(setup, id), 'paid')
    assert.equal((await readTransaction(setup, id)).state, 'approved')
  })

  it('names no page of a payout on an unlisted host, which is for staff too and not sent again', async () => {
    const setup = shared.setup()
    await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
    const id = await debitPayout(setup, 'zotapay', await openPayee(setup, 'zotapay', { balance: '1000.00' }))
    shared.simulator().askMembersAt('https://zotapay.com.evil.example/payout/1?token=secret')
    assert.equal(await processLatest(setup, id), 'for_staff')
    shared.simulator().askMembersAt(null)
    const { staff_reason, problem, reference } = await latestPayout(setup, id)
    assert.deepEqual([staff_reason, reference !== null], ['member_page', true])
    assert.match(problem ?? '', /^Do not send .* zotapay\.com\.evil\.example is not a listed host/)
    assert.doesNotMatch(problem ?? '', /secret|https:/)
    await assert.rejects(payByProvider(setup.staff, id), { code: 'illegal_move' })
  })

  it('sends the stored bank address with a payout', async () => {
    const setup = shared.setup()
    await chooseSettings(setup, { withdrawal_rules: [openTo('zotapay')], withdrawal_four_eyes: false })
    const payee = await openPayee(setup, 'zotapay', { balance: '1000.00' })
    await inTransaction(setup.system, (tx) =>
      tx
        .updateTable('bank_accounts')
        .set({ address_line_1: '1 Churchill Place', city: 'London', state: 'England' })
        .where('workspace_id', '=', setup.system.workspaceId)
        .where('bank_account_id', '=', payee.bankId)
        .execute(),
    )
    const id = await debitPayout(setup, 'zotapay', payee)
    await processLatest(setup, id)
    const { attempt } = await latestPayout(setup, id)
    assert.deepEqual(shared.simulator().orderOf(attempt).more.bank, '1 Churchill Place, London, England')
  })
})
