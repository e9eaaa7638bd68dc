import { approveDeposit } from '../../../server/deposits/decision.ts'
import { reading } from '../../../server/foundation/database/database.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { settleStuck } from '../../../server/funding/crediting/stuck-outcome.ts'
import { findProvider } from '../../../server/payments/connections/provider.ts'
import { keepWebhookEvent, readWebhookEvent } from '../../../server/payments/webhook-event.ts'
import { approveWithdrawal } from '../../../server/withdrawals/withdrawal-decision.ts'
import { addCompanyBankAccount, addTransaction } from '../../fixtures/payments/money.ts'
import { addPaymentException } from '../../fixtures/payments/payment-exceptions.ts'
import { ensureProvider, nobodyThere } from '../../fixtures/payments/payment-providers.ts'
import { debitOne, makePendingWithdrawal, openWithdrawer, payOneByHand } from '../../fixtures/payments/withdrawals.ts'
import { makePendingDeposit } from '../../fixtures/trading/trading-fixture.ts'
import { addStaff, staffActor } from '../../fixtures/workspaces.ts'
import { type About, about, aPicture, emptied } from './staff-request.ts'
import { by, enterStaff, type Fixture, type Prepare } from './valid-request.ts'

const aDeposit: About = async ({ setup }) => ({ id: await makePendingDeposit(setup, '1.00') })

/** Bypasses the triggers, which allow only the full path to this state (funding/crediting/stuck-credit.test.ts). */
const aStuckDeposit = async ({ setup, owner }: Pick<Fixture, 'setup' | 'owner'>) => {
  const id = await makePendingDeposit(setup, '1.00')
  await approveDeposit(setup.staff, id)
  await stick(owner, id)
  return { id }
}

async function stick(owner: Fixture['owner'], id: string): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(`update platform_intents set state = 'stuck' where transaction_id = $1`, [id])
  await owner.query(`update balance_transactions set state = 'checking' where transaction_id = $1`, [id])
  await owner.query('set session_replication_role = origin')
}

const aWithdrawal: About = async ({ setup }) => ({ id: await makePendingWithdrawal(setup) })

const aDebited: About = async ({ setup }) => ({ id: await debitOne(setup, await openWithdrawer(setup), '1.00') })

const aPaid: About = async ({ setup }) => ({ id: await payOneByHand(setup) })

/** An operation with an unknown outcome whose account was deleted on the platform. */
export async function leaveUnknown(
  { setup, owner }: Pick<Fixture, 'setup' | 'owner'>,
  type: 'deposit' | 'withdrawal',
): Promise<string> {
  const { id } = await (type === 'deposit' ? aStuckDeposit : aStuckDebit)({ setup, owner })
  const gone = 'update platform_intents set account_gone_at = $2 where transaction_id = $1'
  await owner.query(gone, [id, setup.context.clock.now()])
  return id
}

/** A colleague has recorded the outcome already. */
const aRecordedOutcome =
  (type: 'deposit' | 'withdrawal'): About =>
  async (fixture) => {
    const { system } = fixture.setup
    const id = await leaveUnknown(fixture, type)
    const word = { outcome: 'not_executed', reason: 'Not in the report of the platform' } as const
    await settleStuck(staffActor(system, await addStaff(system)), id, type, word)
    return { id }
  }

const aPayable: About = async ({ setup: { system, member, accountId } }) => {
  await ensureProvider(system)
  const way = { type: 'withdrawal', state: 'paying', destination: 'psp:safecharge' }
  return { id: await addTransaction(system, { memberId: member.memberId, accountId, ...way }) }
}

const aStuckDebit = async ({ setup, owner }: Pick<Fixture, 'setup' | 'owner'>) => {
  const id = await makePendingWithdrawal(setup)
  await approveWithdrawal(setup.staff, id)
  await stick(owner, id)
  return { id }
}

const companyBank = {
  currency: 'EUR',
  bank_name: 'Harbour Bank',
  account_holder: 'Harbour Markets Ltd',
  iban_number: 'DE89370400440532013000',
  swift: 'DEUTDEFF',
}

const aCompanyBank =
  (body: object = {}): About =>
  async ({ setup: { system } }) => ({ id: await addCompanyBankAccount(system), body })

/** A configured provider without a simulator. */
const aProvider =
  (body: (version: number) => object): About =>
  async ({ setup: { system }, owner }) => {
    const id = await ensureProvider(system)
    const found = await owner.query<{ version: number }>(
      'select version from payment_providers where provider_id = $1',
      [id],
    )
    return { id, body: body(found.rows[0]?.version ?? 0) }
  }

const safechargeSettings = () => ({
  ...{ ...nobodyThere, merchantId: '1000000001', siteId: '200001', secretKey: `safecharge-${newId()}` },
})

const offered = { amount_min: '10', fee_percent: '1', fee_fixed: '0' }

let offers = 0

const newOffer = () => {
  offers += 1
  const currencies = ['EUR', 'USD'].map((currency) => ({ ...offered, currency, amount_max: String(5000 + offers) }))
  return { enabled: true, title: 'Cards', position: 1, currencies }
}

/** A payment exception for a deposit of its own. */
const anException: About = async ({ setup, owner }) => ({
  id: await addPaymentException(setup, owner),
})

/** An unverifiable notification that was recorded as such. */
const aWebhookEvent: About = async ({ setup: { system } }) => {
  const uid = await ensureProvider(system).then(() => 'safecharge')
  const provider = await reading(system, (tx) => findProvider(tx, system, uid))
  if (!provider) throw new Error('a provider was added')
  await keepWebhookEvent(system, provider, { method: 'GET', query: newId(), body: Buffer.alloc(0), headers: {} }, {})
  const { notification_id: id } = await reading(system, (tx) =>
    tx
      .selectFrom('payment_notifications')
      .select('notification_id')
      .where('workspace_id', '=', system.workspaceId)
      .orderBy('notification_id', 'desc')
      .executeTakeFirstOrThrow(),
  )
  await readWebhookEvent(system, id)
  return { id }
}

export const requestsOfPayments: Record<string, Prepare> = {
  'POST /desk/api/company-bank-accounts/:id/change': about(aCompanyBank(companyBank)),
  'POST /desk/api/company-bank-accounts/:id/archive': about(aCompanyBank()),
  'POST /desk/api/deposits/:id/approve': about(aDeposit),
  'POST /desk/api/deposits/:id/reject': about(aDeposit),
  'POST /desk/api/deposits/:id/look-again': about(aStuckDeposit),
  'POST /desk/api/deposits/:id/outcome': about(aRecordedOutcome('deposit')),
  'POST /desk/api/withdrawals/:id/approve': about(aWithdrawal),
  'POST /desk/api/withdrawals/:id/reject': about(aWithdrawal),
  'POST /desk/api/withdrawals/:id/paid': about(aDebited),
  'POST /desk/api/withdrawals/:id/payout-failed': about(aDebited),
  'POST /desk/api/withdrawals/:id/returned': about(aPaid),
  'POST /desk/api/withdrawals/:id/pay-by-provider': about(aPayable),
  'POST /desk/api/withdrawals/:id/look-again': about(aStuckDebit),
  'POST /desk/api/withdrawals/:id/outcome': about(aRecordedOutcome('withdrawal')),
  'POST /desk/api/payment-cases/:id/decide': about(anException),
  'POST /desk/api/payment-notifications/:id/replay': about(aWebhookEvent),
  'POST /desk/api/providers/add': async (fixture) => {
    await emptied(fixture, 'payment_providers', `app_uid = 'zotapay'`)
    return by(await enterStaff(fixture), { body: { app_uid: 'zotapay' } })
  },
  'POST /desk/api/providers/:id/connection': about(
    aProvider((version) => ({ version, settings: safechargeSettings() })),
  ),
  'POST /desk/api/providers/:id/offer': about(aProvider((version) => ({ version, ...newOffer() }))),
  'POST /desk/api/providers/:id/logo': about(aProvider(() => ({ logo: aPicture }))),
  'POST /desk/api/providers/:id/test': about(aProvider(() => ({}))),
}
