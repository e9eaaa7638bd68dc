import { providerPrefix } from '@atrium/contract/payments.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { requestWithdrawal } from '../funding/withdrawal.ts'
import { approveWithdrawal } from '../funding/withdrawal-decision.ts'
import { visitPayout } from '../payment-providers/payout-visit.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import { addFundAccount } from './harbour-money.ts'
import { type PaymentFloor, readNotifications, startOrder } from './payment-floor.ts'
import { openWithdrawer, settleLatest, type Withdrawer, withdrawalInputOf } from './withdrawals.ts'

export const openTo = (uid: string, change: Record<string, unknown> = {}) => ({
  ...{ method: `${providerPrefix}${uid}`, currency: '*', enabled: true },
  ...{ fee_fixed: '0', fee_percent: '0', minimum: '0', maximum: null },
  ...change,
})

/** A telephone and an address, without which some providers pay nobody. */
export async function addWhereabouts({ system, member }: Pick<PaymentFloor, 'system' | 'member'>): Promise<void> {
  const place = { workspace_id: system.workspaceId, member_id: member.memberId }
  await inTransaction(system, async (tx) => {
    await tx
      .updateTable('members')
      .set({ phones: ['+356 2100 0000'] })
      .where('workspace_id', '=', place.workspace_id)
      .where('member_id', '=', place.member_id)
      .execute()
    const address = { address_line_1: '1 Harbour Road', city: 'Valletta', country_code: 'MT' }
    await tx
      .insertInto('member_addresses')
      .values({ ...place, address_id: newId(), ...address })
      .execute()
  })
}

/** A member with everything that a provider may need: a telephone, an address, saved destinations, a paid deposit. */
export async function openPayee(
  floor: PaymentFloor,
  uid: string,
  values: { balance?: string; currency?: string } = {},
) {
  await addWhereabouts(floor)
  const withdrawer = await openWithdrawer(floor, values)
  const coin = findAdapter(uid)?.payout?.to === 'crypto' ? 'BTC' : undefined
  return { ...withdrawer, coin: coin as string | undefined, destinationId: await destinationOf(floor, uid, withdrawer) }
}
export type Payee = Awaited<ReturnType<typeof openPayee>>

async function destinationOf(floor: PaymentFloor, uid: string, { bankId }: Withdrawer): Promise<string | undefined> {
  const to = findAdapter(uid)?.payout?.to
  if (to === 'bank_account') return bankId
  const { memberId } = floor.member
  if (to === 'crypto') return addFundAccount(floor.system, { memberId, type: to })
  if (to !== 'source') return addFundAccount(floor.system, { memberId, type: 'other', address_id: 'mara@example.com' })
  const { attempt } = await startOrder(floor, { payment_method: uid })
  floor.safecharge.set(attempt, 'APPROVED')
  await floor.safecharge.notify(attempt)
  await readNotifications(floor)
  return undefined
}

export async function askPayout(uid: string, payee: Payee, amount = '250.00'): Promise<string> {
  const asked = await withdrawalInputOf(payee, { amount, destination: `${providerPrefix}${uid}` })
  const { destination_id: _bank, ...body } = asked
  const where = {
    ...(payee.destinationId !== undefined && { destination_id: payee.destinationId }),
    ...(payee.coin !== undefined && { coin: payee.coin }),
  }
  return (await requestWithdrawal(payee.member, { ...body, ...where }))._id
}

/** Asked for, approved and debited: its payout is written down, and nothing was sent. */
export async function debitPayout(floor: PaymentFloor, uid: string, payee: Payee, amount?: string): Promise<string> {
  const id = await askPayout(uid, payee, amount)
  await approveWithdrawal(floor.staff, id)
  await settleLatest(floor, id)
  return id
}

export function readPayouts({ system }: PaymentFloor, transactionId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('payout_orders')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('transaction_id', '=', transactionId)
      .orderBy('payout_id')
      .execute(),
  )
}

export async function latestPayout(floor: PaymentFloor, transactionId: string) {
  const payout = (await readPayouts(floor, transactionId)).at(-1)
  if (!payout) throw new Error('There is no payout')
  return payout
}

/** What the queue would do now with the newest payout of a withdrawal. */
export async function visitLatest(floor: PaymentFloor, transactionId: string): Promise<string> {
  await visitPayout(floor.system, (await latestPayout(floor, transactionId)).payout_id)
  return (await latestPayout(floor, transactionId)).state
}
