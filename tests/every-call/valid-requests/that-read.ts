import { newId } from '../../../server/foundation/ids.ts'
import { readOrder } from '../../fixtures/payments/payment-fixture.ts'
import { addProvider, ensureProvider, nobodyThere } from '../../fixtures/payments/payment-providers.ts'
import { addMismatch } from '../../fixtures/reconciliations.ts'
import { addAccount } from '../../fixtures/trading/platforms.ts'
import { addHistory } from '../../fixtures/trading/trade-history.ts'
import { requestsOfDocuments } from './of-documents.ts'
import { requestsOfForms } from './of-forms.ts'
import { requestsOfMembers, startedDeposit } from './of-members.ts'
import { requestsOfPayments } from './of-payments.ts'
import { requestsOfPeople } from './of-people.ts'
import { requestsOfStaff } from './of-staff.ts'
import { requestsOfTickets } from './of-tickets.ts'
import { by, enterMember, enterStaff, type Fixture, type Prepare } from './valid-request.ts'

const changes: Record<string, Prepare> = {
  ...requestsOfMembers,
  ...requestsOfStaff,
  ...requestsOfDocuments,
  ...requestsOfPayments,
  ...requestsOfPeople,
  ...requestsOfTickets,
  ...requestsOfForms,
}

/** Reads what another call changes, as the same person and of the same row. */
const of =
  (change: string, body: object = {}, places: Record<string, string> = {}): Prepare =>
  async (fixture) => {
    const made = await changes[`POST ${change}`]?.(fixture)
    if (!made) throw new Error(`${change} has no valid request`)
    return {
      actorId: made.actorId,
      ...(made.token && { token: made.token }),
      places: { ...made.places, ...places },
      body,
    }
  }

/** Reads with query parameters only. */
const asked =
  (body: (fixture: Fixture) => object): Prepare =>
  async (fixture) =>
    by(await enterMember(fixture), { body: body(fixture) })

const ofAccount =
  (body: object = {}): Prepare =>
  async (fixture) => {
    const person = await enterMember(fixture)
    const { system, platformId } = fixture.setup
    const accountId = await addAccount(system, { memberId: person.id, platformId })
    await addHistory(system, { memberId: person.id, accountId, platformId }, [])
    return by(person, { places: { id: accountId }, body })
  }

const ofTheAccount: Prepare = async (fixture) =>
  by(await enterStaff(fixture), { places: { id: fixture.setup.accountId } })

const sales: Prepare = async (fixture) => by(await enterMember({ ...fixture, memberType: 'sales_person' }))

/** Its coins were just loaded, so no provider needs to be asked. */
async function ensureCoinProvider({ setup: { system }, owner }: Fixture): Promise<void> {
  const { rowCount } = await owner.query(`select from payment_providers where app_uid = 'coinpayments'`)
  if (rowCount === 0) await addProvider(system, 'coinpayments', coinSettings)
  await owner.query(`update payment_providers set coins = '[]', coins_read_at = now() where app_uid = 'coinpayments'`)
}
const coinSettings = {
  ...{ merchantId: 'm1', publicKey: 'p1', privateKey: 'coin-private-0001', ipnSecret: 'coin-secret-0001' },
  ...{ baseUrl: nobodyThere.restUrl },
}

/** A desk list with one of its filters. */
const filtered =
  (body: (fixture: Fixture) => object): Prepare =>
  async (fixture) =>
    by(await enterStaff(fixture), { body: body(fixture) })

const byMember = filtered(({ setup }) => ({ member: setup.member.memberId }))
const byPlatform = filtered(({ setup }) => ({ platform: setup.platformId }))

/** Reads that need parameters; every other read asks for everything. */
export const requestsThatRead: Record<string, Prepare> = {
  'GET /desk/api/account-differences': byPlatform,
  'GET /desk/api/accounts': byPlatform,
  'GET /desk/api/accounts/table': byPlatform,
  'GET /desk/api/openings': byPlatform,
  'GET /desk/api/openings/table': byPlatform,
  'GET /desk/api/account-differences/table': byPlatform,
  'GET /desk/api/account/list-views': filtered(() => ({ list: 'openings' })),
  'GET /desk/api/audit': byMember,
  'GET /desk/api/audit/table': byMember,
  'GET /desk/api/requests': byMember,
  'GET /desk/api/requests/table': byMember,
  'GET /desk/api/tickets': byMember,
  'GET /desk/api/tickets/table': byMember,
  'GET /desk/api/accounts/:id': ofTheAccount,
  'GET /desk/api/accounts/:id/positions': ofTheAccount,
  'GET /desk/api/accounts/:id/trades': ofTheAccount,
  'GET /desk/api/accounts/:id/trades/table': ofTheAccount,
  'GET /desk/api/accounts/:id/trades/history': ofTheAccount,
  'GET /desk/api/deposits/:id': of('/desk/api/deposits/:id/reject'),
  'GET /desk/api/withdrawals/:id': of('/desk/api/withdrawals/:id/reject'),
  'GET /desk/api/documents/:id': of('/desk/api/documents/:id/verify'),
  'GET /desk/api/members/:id': of('/desk/api/members/:id/lock'),
  'GET /desk/api/members/:id/documents': of('/desk/api/members/:id/lock'),
  'GET /desk/api/members/:id/sessions': of('/desk/api/members/:id/lock'),
  'GET /desk/api/members/:id/terms': of('/desk/api/members/:id/lock'),
  'GET /desk/api/forms/:id': of('/desk/api/forms/:id/archive'),
  'GET /desk/api/forms/:id/answers': of('/desk/api/forms/:id/archive'),
  'GET /desk/api/forms/:id/submissions': of('/desk/api/forms/:id/archive'),
  'GET /desk/api/forms/:id/versions/:version': of('/desk/api/forms/:id/archive', {}, { version: '1' }),
  'GET /desk/api/submissions/:id': async (fixture) => {
    const { body, token } = (await changes['POST /form/submit']?.(fixture)) ?? {}
    const { submission } = (await fixture.caller.post('/form/submit', body, token)).body
    return by(await enterStaff(fixture), { places: { id: (submission as { _id: string })._id } })
  },
  'GET /desk/api/requests/:id': of('/desk/api/requests/:id/comment'),
  'GET /desk/api/tickets/:id': of('/desk/api/tickets/:id/read'),
  'GET /desk/api/terms/:id': of('/desk/api/terms/:id/retire'),
  'GET /desk/api/terms/:id/acceptances': of('/desk/api/terms/:id/retire'),
  'GET /desk/api/terms/:id/acceptances/table': of('/desk/api/terms/:id/retire'),
  'GET /desk/api/payment-notifications/:id': of('/desk/api/payment-notifications/:id/replay'),
  'GET /desk/api/platforms/:id': of('/desk/api/platforms/:id/try'),
  'GET /desk/api/platforms/:id/groups': of('/desk/api/platforms/:id/try'),
  'GET /desk/api/providers/:id': of('/desk/api/providers/:id/test'),
  'GET /desk/api/reconciliation/days/:day': async (fixture) => {
    await addMismatch(fixture.setup.system)
    return by(await enterStaff(fixture), { places: { day: '2026-11-20' } })
  },
  'GET /forms/draft': async (fixture) => {
    const { body, ...person } = (await changes['POST /forms/drafts/save']?.(fixture)) ?? { actorId: null }
    return { ...person, body: { form: (body as { form: string }).form } }
  },
  'GET /members/deposits/coins': async (fixture) => {
    await ensureCoinProvider(fixture)
    return by(await enterMember(fixture), { body: { payment_method: 'coinpayments' } })
  },
  'GET /members/deposits/payment': async (fixture) => {
    const { order, ...person } = await startedDeposit(fixture)
    const { transaction_id: _id } = await readOrder(fixture.setup, order)
    return by(person, { body: { _id } })
  },
  'GET /members/deposits/ways': async (fixture) => {
    await ensureProvider(fixture.setup.system)
    return by(await enterMember(fixture), { body: { payment_method: 'safecharge', currency: 'USD' } })
  },
  'GET /members/search': asked(() => ({ q: newId() })),
  'GET /members/taxonomies/taxonomies-by-entity': asked(() => ({ entity: 'document' })),
  'GET /members/sales/clients': sales,
  'GET /members/sales/clients/export': sales,
  'GET /members/trading-accounts/:id/figures': ofAccount(),
  'GET /members/trading-accounts/:id/password-policy': ofAccount(),
  'GET /members/trading-accounts/:id/statements': ofAccount(),
  'GET /members/trading-accounts/:id/statement': ofAccount({ month: '2026-11' }),
  'GET /members/trading-accounts/:id/trades/table': ofAccount(),
  'GET /members/withdrawals/preflight': async (fixture) => {
    const { body, ...person } = (await changes['POST /members/withdrawals/create']?.(fixture)) ?? { actorId: null }
    const { trading_account, amount, destination, destination_id } = body as Record<string, string>
    return { ...person, body: { trading_account, amount, destination, destination_id } }
  },
}
