import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { addBankAccount, addFundAccount, addTransaction } from '../../tests/fixtures/payments/money.ts'
import { addProvider } from '../../tests/fixtures/payments/payment-providers.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addAccount, addPlatform } from '../../tests/fixtures/trading/platforms.ts'
import { addMember, addStaff, addWorkspace, staffActor } from '../../tests/fixtures/workspaces.ts'
import { readDeskDeposit } from '../deposits/desk-queries.ts'
import type { Staff, System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { readDeskWithdrawal } from '../withdrawals/desk-withdrawals.ts'
import { deskDeposits, deskWithdrawals } from './desk-transactions.ts'
import { readWaitingWork } from './waiting.ts'

let made: MadeContext
let system: System
let staff: Staff
let platformId: string
let own: { memberId: string; accountId: string }

before(async () => {
  made = await makeTestContext()
  const withdrawal_cut_off = { time: '15:00', zone: 'Asia/Tokyo', days_min: 1, days_max: 3 }
  system = await addWorkspace(made.context, { settings: { withdrawal_cut_off } })
  staff = staffActor(system, await addStaff(system, { role: 'finance' }))
  platformId = await addPlatform(system)
  own = await addOwner(system, platformId)
})
after(() => made.close())

async function addOwner(by: System, platform: string) {
  const { memberId } = await addMember(by, { first_name: 'Mara', last_name: 'Lindholm' })
  const accountId = await addAccount(by, { memberId, platformId: platform, platform_login: '5001', balance: '750' })
  return { memberId, accountId }
}

const asked = { page: 1, limit: 25, order: 'oldest' } as const
const deposits = async (filter: Partial<Parameters<typeof deskDeposits.read>[1]>) => {
  const { deposits: rows, counts } = await deskDeposits.read(staff, { ...asked, ...filter })
  return { ids: rows.map(({ _id }) => _id), counts, rows }
}

async function addOrder(transactionId: string, providerId: string, { attempt, reference }: Record<string, string>) {
  const now = made.context.clock.now()
  const key = { workspace_id: system.workspaceId, order_id: newId() }
  const agreed = { amount: '77', fee: '0', charge: '77', currency: 'USD' }
  await inTransaction(system, async (tx) => {
    await tx
      .insertInto('deposit_orders')
      .values({
        ...{ ...key, ...agreed, transaction_id: transactionId, provider_id: providerId, attempt: attempt ?? '' },
        ...{ member_id: own.memberId, account_id: own.accountId, state: 'created' },
        ...{ next_look_at: now, expires_at: now, created_at: now },
      })
      .execute()
    await tx
      .updateTable('deposit_orders')
      .set({ reference, state: 'handed_over' })
      .where('workspace_id', '=', key.workspace_id)
      .where('order_id', '=', key.order_id)
      .execute()
  })
}

async function addStuckIntent(transactionId: string) {
  const now = made.context.clock.now()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('platform_intents')
      .values({
        ...{ workspace_id: system.workspaceId, intent_id: newId(), kind: 'balance', platform_id: platformId },
        ...{ platform_login: '5001', transaction_id: transactionId, amount: '5', currency: 'USD', note: 'x' },
        ...{ tag: 'atr-0123456789abc', state: 'stuck', next_step_at: now, created_at: now },
      })
      .execute(),
  )
}

describe('the queues of the desk', () => {
  test('find a transaction in any state by amount, number and provider reference', async () => {
    const approved = await addTransaction(system, { ...own, ticket: '4711', amount: '1234.5', state: 'approved' })
    const pending = await addTransaction(system, { ...own, amount: '77' })
    await addOrder(pending, await addProvider(system, 'zotapay', {}), { attempt: 'atr-attempt-1', reference: '88-ZP' })
    for (const q of ['1234.5', '1,234.50', '1.234,50', '4711']) {
      const { ids, counts } = await deposits({ q })
      assert.deepEqual(ids, [approved], q)
      assert.deepEqual([counts.approved, counts.pending], [1, 0], q)
    }
    for (const q of ['88-ZP', 'atr-attempt-1', '77']) assert.deepEqual((await deposits({ q })).ids, [pending], q)
    assert.deepEqual((await deposits({ q: '77', state: 'approved' })).ids, [])
    assert.equal((await deposits({ q: 'mara', state: 'approved' })).counts.pending, 1)
    const paid = await addTransaction(system, {
      ...{ ...own, type: 'withdrawal', state: 'approved', payout_reference: 'SEPA-20261126-9' },
    })
    const found = await deskWithdrawals.read(staff, { ...asked, q: 'SEPA-20261126-9' })
    assert.deepEqual(
      found.withdrawals.map(({ _id }) => _id),
      [paid],
    )
  })

  test('find nothing of another workspace by the same amount and reference', async () => {
    const other = await addWorkspace(made.context)
    const elsewhere = await addOwner(other, await addPlatform(other))
    await addTransaction(other, { ...elsewhere, amount: '1234.5', payout_reference: 'foreign-1', type: 'withdrawal' })
    assert.equal((await deskWithdrawals.read(staff, { ...asked, q: '1234.5' })).total, 0)
    assert.equal((await deskWithdrawals.read(staff, { ...asked, q: 'foreign-1' })).total, 0)
  })

  test("use the workspace's time zone for the bounds of a day", async () => {
    const late = await addTransaction(system, {
      ...own,
      state: 'rejected',
      created_at: new Date('2026-10-01T16:00:00Z'),
    })
    const day = (text: string) => deposits({ from: text, to: text })
    assert.deepEqual((await day('2026-10-01')).ids, [])
    const { ids, counts } = await day('2026-10-02')
    assert.deepEqual([ids, counts.rejected, counts.pending], [[late], 1, 0])
  })

  test('mark what is stuck and what is with a provider, and count for the menu what staff must decide', async () => {
    const before = await readWaitingWork(staff)
    const stuck = await addTransaction(system, { ...own, state: 'checking' })
    await addStuckIntent(stuck)
    await addTransaction(system, { ...own, state: 'checking' })
    await addTransaction(system, own)
    await addTransaction(system, { ...own, type: 'withdrawal', state: 'paying' })
    const after = await readWaitingWork(staff)
    assert.deepEqual(before.deposits, { count: 0, stuck: 0 })
    assert.deepEqual(
      [after.deposits, after.withdrawals],
      [
        { count: 2, stuck: 1 },
        { count: 1, stuck: 0 },
      ],
    )
    assert.deepEqual(
      [after.payments, after.documents],
      [
        { count: 0, stuck: 0 },
        { count: 0, stuck: 0 },
      ],
    )
    const { rows } = await deposits({ state: 'checking' })
    assert.deepEqual(rows.map(({ _id, is_stuck }) => [_id === stuck, is_stuck]).sort(), [
      [false, false],
      [true, true],
    ])
    assert.deepEqual(
      (await deposits({ q: '88-ZP' })).rows.map(({ payment_state }) => payment_state),
      ['handed_over'],
    )
  })
})

describe('the facts beside a decision', () => {
  test("show the balance, whether it is the first payment, and the beneficiary's age per field", async () => {
    const person = await addOwner(system, await addPlatform(system))
    const first = await readDeskDeposit(staff, await addTransaction(system, person))
    assert.deepEqual([first.risk?.balance, first.risk?.earlier, first.risk?.beneficiary], ['750.00', 0, null])
    const bank = await addBankAccount(system, {
      memberId: person.memberId,
      bank_name: 'Nordbank',
      account_holder: 'M L',
    })
    const at = made.context.clock.now().getTime()
    const ask = (text: string, values: { state?: string; created_at?: Date } = {}) =>
      addTransaction(system, {
        ...{ ...person, type: 'withdrawal', destination: 'bank_account', destination_id: bank, destination_text: text },
        ...values,
      })
    const { iban_number = '', swift = '' } = await inTransaction(system, (tx) =>
      tx
        .selectFrom('bank_accounts')
        .select(['iban_number', 'swift'])
        .where('workspace_id', '=', system.workspaceId)
        .where('bank_account_id', '=', bank)
        .executeTakeFirstOrThrow(),
    )
    const text = `Nordbank, M L, ${iban_number}, ${swift}`
    const asked = await ask(text)
    const fresh = await readDeskWithdrawal(staff, asked)
    assert.deepEqual(fresh.risk?.beneficiary, { since: at, paid_before: 0 })
    assert.deepEqual(
      fresh.destination_fields.slice(0, 2).map(({ name, value }) => [name, value]),
      [
        ['account_holder', 'M L'],
        ['iban_number', iban_number],
      ],
    )
    await ask(text, { state: 'approved', created_at: new Date(at - 1000) })
    const known = await readDeskWithdrawal(staff, await ask('Nordbank, Somebody Else, X'))
    assert.deepEqual([known.risk?.earlier, known.risk?.beneficiary?.paid_before], [1, 1])
    assert.deepEqual(known.destination_fields, [])
    // Another branch is another beneficiary, although the snapshot text does not include it.
    await inTransaction(system, (tx) =>
      tx
        .updateTable('bank_accounts')
        .set({ bank_branch: '0042', usable_from: new Date(at + 86_400_000) })
        .where('workspace_id', '=', system.workspaceId)
        .where('bank_account_id', '=', bank)
        .execute(),
    )
    const changed = await readDeskWithdrawal(staff, asked)
    assert.deepEqual([changed.destination_text, changed.destination_fields], [text, []])
  })

  test('show the QR code of the wallet, unless the wallet was changed since', async () => {
    const person = await addOwner(system, await addPlatform(system))
    const { memberId } = person
    const qr_media_id = await addMedia(system, { memberId, purpose: 'qr', kind: 'image', name: 'wallet.png' })
    const usable_from = made.context.clock.now()
    const wallet = await addFundAccount(system, { memberId, qr_media_id, usable_from })
    const text = 'Savings wallet, Ledger, bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
    const ask = (created_at: Date) =>
      addTransaction(system, {
        ...{ ...person, type: 'withdrawal', destination: 'crypto_transfer', destination_id: wallet, created_at },
        destination_text: text,
      })
    const { destination_qr } = await readDeskWithdrawal(staff, await ask(usable_from))
    assert.deepEqual(destination_qr, { url: `/cp/private/files/${qr_media_id}/wallet.png`, scan: 'none' })
    const before = await readDeskWithdrawal(staff, await ask(new Date(usable_from.getTime() - 1_000)))
    assert.deepEqual([before.destination_fields, before.destination_qr], [[], null])
  })
})
