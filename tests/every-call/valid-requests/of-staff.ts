import { noteDifference } from '../../../server/accounts/differences.ts'
import { approveDeposit } from '../../../server/deposits/decision.ts'
import { verifyDocument } from '../../../server/documents/decision.ts'
import { inTransaction, reading } from '../../../server/foundation/database/database.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { findProvider } from '../../../server/payments/connections/provider.ts'
import { keepWebhookEvent, readWebhookEvent } from '../../../server/payments/webhook-event.ts'
import { approveWithdrawal } from '../../../server/withdrawals/withdrawal-decision.ts'
import { addDeadLetters } from '../../fixtures/dead-letters.ts'
import { addDocument, addDocumentRequest, addFileCategory, addKycCategory } from '../../fixtures/documents.ts'
import { sumsubSettings } from '../../fixtures/identity-vendors.ts'
import { here } from '../../fixtures/on-this-machine.ts'
import { addCompanyBankAccount, addTransaction } from '../../fixtures/payments/money.ts'
import { addPaymentCase } from '../../fixtures/payments/payment-exceptions.ts'
import { ensureProvider, nobodyThere } from '../../fixtures/payments/payment-providers.ts'
import { debitOne, makePendingWithdrawal, openWithdrawer } from '../../fixtures/payments/withdrawals.ts'
import { addMismatch } from '../../fixtures/reconciliations.ts'
import { addTerms } from '../../fixtures/requests.ts'
import { makePng } from '../../fixtures/sample-files.ts'
import { enrolTotp } from '../../fixtures/second-factors.ts'
import { addOpening, addPlatform } from '../../fixtures/trading/platforms.ts'
import { makePendingDeposit } from '../../fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, openTestSession } from '../../fixtures/workspaces.ts'
import {
  addPlatformAccount,
  by,
  enterElsewhere,
  enterMember,
  enterStaff,
  type Fixture,
  newPassword,
  type Prepare,
} from './valid-request.ts'

const alone =
  (body: object = {}): Prepare =>
  async (fixture) =>
    by(await enterStaff(fixture), { body })

type About = (fixture: Fixture) => Promise<{ id: string; body?: object }>

const about =
  (make: About): Prepare =>
  async (fixture) => {
    const { id, body } = await make(fixture)
    return by(await enterStaff(fixture), { places: { id }, ...(body && { body }) })
  }

/** An account that exists only on its platform, which staff ignore. */
const aDifference: About = async ({ setup: { system, platformId } }) => {
  const login = String(800_000_000 + Math.floor(Math.random() * 100_000_000))
  const found = { kind: 'unknown_owner', login, accountId: null, reason: 'no_address', at: null } as const
  const { difference_id: id } = await inTransaction(system, async (tx) => {
    await noteDifference(tx, system, platformId, found)
    const rows = tx.selectFrom('account_differences').where(here).select('difference_id')
    return rows.where('platform_login', '=', login).executeTakeFirstOrThrow()
  })
  return { id }
}

const aMismatch: About = async ({ setup: { system } }) => ({
  id: await addMismatch(system),
})

const anExplainedMismatch: About = async ({ setup: { system, staff } }) => ({
  id: await addMismatch(system, { by: staff.staffId }),
})

const aMember: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  await openTestSession(system, { kind: 'member', id: memberId })
  return { id: memberId }
}

const aColleague =
  (values: Parameters<typeof addStaff>[1] = {}): About =>
  async ({ setup: { system } }) => {
    const { staffId } = await addStaff(system, { role: 'support', ...values })
    await openTestSession(system, { kind: 'staff', id: staffId })
    return { id: staffId }
  }

const aDeposit: About = async ({ setup }) => ({ id: await makePendingDeposit(setup, '1.00') })

/** Bypasses the triggers, which allow only the full path to this state (funding/crediting/stuck-credit.test.ts). */
const aStuckDeposit: About = async ({ setup, owner }) => {
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

const aPayable: About = async ({ setup: { system, member, accountId } }) => {
  await ensureProvider(system)
  const way = { type: 'withdrawal', state: 'paying', destination: 'psp:safecharge' }
  return { id: await addTransaction(system, { memberId: member.memberId, accountId, ...way }) }
}

const aStuckDebit: About = async ({ setup, owner }) => {
  const id = await makePendingWithdrawal(setup)
  await approveWithdrawal(setup.staff, id)
  await stick(owner, id)
  return { id }
}

/** Also bypasses the triggers: an opening whose account may or may not exist (openings/desk-openings.test.ts). */
const anOpeningInDoubt: About = async ({ setup: { system, platformId }, owner }) => {
  const { memberId } = await addMember(system)
  const id = await addOpening(system, { memberId, platformId })
  await owner.query('set session_replication_role = replica')
  await owner.query(`update account_openings set state = 'unknown' where opening_id = $1`, [id])
  await owner.query('set session_replication_role = origin')
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

const terms =
  (body: object, isDraft = false): About =>
  async ({ setup: { staff } }) => ({
    id: await addTerms(staff, { isDraft, blocked_portal_sections: ['downloads'] }),
    body,
  })

const text = {
  name: 'Rules of the harbour',
  tickbox_text: 'I have read it.',
  template: '<p>Keep to the right.</p>',
  blocked_portal_sections: ['downloads'],
}
const withFactor: About = async (fixture) => {
  const { id, token } = await enterMember(fixture)
  await enrolTotp(fixture.caller, fixture.setup.context, token)
  return { id }
}
const colleagueWithFactor: About = async (fixture) => {
  const { id, token } = await enterStaff(fixture)
  await enrolTotp(fixture.caller, fixture.setup.context, token, 'desk')
  return { id }
}
const erasable: About = async ({ setup: { system } }) => {
  const customer_number = newId()
  const { memberId } = await addMember(system, { customer_number })
  return { id: memberId, body: { customer_number } }
}
const locked: About = async (fixture) => {
  const { id } = await aMember(fixture)
  const { token } = await enterStaff(fixture)
  await fixture.caller.post(`/desk/api/members/${id}/lock`, { reason: 'Asked for it' }, token)
  return { id }
}
const newColleague = () => ({ name: 'Nora New', email: `nora-${newId().slice(-12)}@harbour.test`, role: 'support' })
const invited: About = async (fixture) => {
  const { token } = await enterStaff(fixture)
  const invitation = newColleague()
  const { body } = await fixture.caller.post('/desk/api/staff/invite', invitation, token)
  return { id: (body.staff as { _id: string })._id, body: {} }
}

const newMember = () => ({
  idempotency_key: newId(),
  ...{ first_name: 'Ines', last_name: 'Invited', email: `ines-${newId().slice(-12)}@harbour.test` },
  ...{ phone: '+356 2122 4455', country: 'MT', language: null, type: 'client' },
})
const invitedMember: About = async (fixture) => {
  const { token } = await enterStaff(fixture)
  const { body } = await fixture.caller.post('/desk/api/members/invite', newMember(), token)
  return { id: (body.member as { _id: string })._id, body: {} }
}
const renamed: About = async ({ setup: { system } }) => {
  const { memberId, email } = await addMember(system)
  return { id: memberId, body: { email } }
}
const referred: About = async ({ setup: { system } }) => {
  const { memberId: referrer } = await addMember(system, { type: 'sales_person' })
  const { memberId: id } = await addMember(system)
  return { id, body: { referrer } }
}

/** Uses the current version and names; the request would be refused for outdated ones alone. */
async function changedLists({ owner, setup: { system } }: Fixture): Promise<object> {
  const found = await owner.query<{ version: number; vendors: string[]; departments: string[] }>(
    `select coalesce((versions->'lists'->>'version')::int, 0) as version, vendors, departments
      from workspaces where workspace_id = $1`,
    [system.workspaceId],
  )
  const { version, vendors = [], departments = [] } = found.rows[0] ?? {}
  return { section: 'lists', version, vendors: [...vendors, newId()], departments }
}

const aPicture = makePng({ width: 8, height: 8 }).toString('base64')

async function aVendor({ owner, setup: { system } }: Fixture): Promise<string> {
  const vendor = newId()
  await owner.query('update workspaces set vendors = array_append(vendors, $2) where workspace_id = $1', [
    system.workspaceId,
    vendor,
  ])
  return vendor
}

/** One platform for each request, so that no version conflicts occur. */
const aPlatform =
  (body: object): About =>
  async ({ setup: { system } }) => ({ id: await addPlatform(system), body })
/** The platform that responds; no request of these tests changes it. */
const thePlatform: About = async ({ setup }) => ({ id: setup.platformId, body: {} })
const connection = {
  ...{ base_url: 'https://mt5.example.com', manager_login: '1002', time_zone: 'Europe/Athens' },
  ...{ time_zone_shift_minutes: 0, ca_pem: null, server_name: null },
  ...{ connect_ms: 1_000, read_ms: 1_000, write_ms: 1_000 },
  ...{ settle_ms: 60_000, look_again_ms: 5_000, lease_ms: 20_000 },
}
const download = { _id: null, system: 'web', name: 'Browser', link: 'https://web.example.com', file_id: null }

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
const aCase: About = async ({ setup, owner }) => ({
  id: await addPaymentCase(setup, owner),
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

const aKycDocument =
  (isApproved = false): About =>
  async ({ setup: { system, staff } }) => {
    const { memberId } = await addMember(system)
    const category = await addFileCategory(system, { required: false })
    const id = await addDocument(system, { memberId, category })
    if (isApproved) await verifyDocument(staff, id)
    return { id }
  }
const aKycDocumentWanted: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  return { id: memberId, body: { category: (await addFileCategory(system, { required: false })).id, note: 'Payslip' } }
}
const aRequestedKycDocument: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  const category = await addFileCategory(system, { required: false })
  return { id: await addDocumentRequest(system, { memberId, category }), body: {} }
}
const aSetForMember: About = async ({ setup: { system } }) => {
  const { memberId } = await addMember(system)
  return { id: memberId, body: { kyc_category_id: await addKycCategory(system) } }
}
const aCategory =
  (bodyOf: () => object): About =>
  async ({ setup: { system } }) => ({ id: (await addFileCategory(system, { required: false })).id, body: bodyOf() })
const categoryFields = { description: '', required: false, valid_documents: [{ name: 'Payslip', expires: false }] }
/** A separate category set, so that the order names all its categories. */
const anOrder: Prepare = async (fixture) => {
  const kyc_category_id = await addKycCategory(fixture.setup.system)
  const first = await addFileCategory(fixture.setup.system, { kyc_category_id, required: false })
  const second = await addFileCategory(fixture.setup.system, { kyc_category_id, required: false })
  return by(await enterStaff(fixture), { body: { kyc_category_id, ids: [second.id, first.id] } })
}
const aSet: About = async ({ setup: { system } }) => ({
  id: await addKycCategory(system),
  body: { name: `Set ${newId()}`, archived: false },
})

/** Deletes rows of earlier requests, which would change the outcome of this one. */
const emptied = ({ owner, setup: { system } }: Fixture, table: string, which = 'true'): Promise<unknown> =>
  owner.query(`delete from ${table} where workspace_id = $1 and ${which}`, [system.workspaceId])

const requestsAboutKycDocuments: Record<string, Prepare> = {
  'POST /desk/api/documents/:id/verify': about(aKycDocument()),
  'POST /desk/api/documents/:id/reject': about(aKycDocument()),
  'POST /desk/api/documents/:id/unverify': about(aKycDocument(true)),
  'POST /desk/api/members/:id/documents/request': about(aKycDocumentWanted),
  'POST /desk/api/document-requests/:id/withdraw': about(aRequestedKycDocument),
  'POST /desk/api/members/:id/kyc-category': about(aSetForMember),
  'POST /desk/api/members/:id/papers-elsewhere': about(aMember),
  'POST /desk/api/file-categories/add': async (fixture) => {
    // Earlier requests have filled the set up to its maximum.
    await fixture.owner.query('update file_categories set archived_at = now() where workspace_id = $1', [
      fixture.setup.system.workspaceId,
    ])
    return by(await enterStaff(fixture), { body: { ...categoryFields, kyc_category_id: null, name: newId() } })
  },
  'POST /desk/api/file-categories/:id/change': about(
    aCategory(() => ({ ...categoryFields, name: `Category ${newId()}` })),
  ),
  'POST /desk/api/file-categories/:id/archive': about(aCategory(() => ({ archived: true }))),
  'POST /desk/api/identity-vendors/change': async (fixture) => {
    for (const table of ['identity_notifications', 'identity_checks', 'identity_vendors']) await emptied(fixture, table)
    const settings = await sumsubSettings(fixture.setup.context)
    return by(await enterStaff(fixture), { body: { app_uid: 'sumsub', version: 0, enabled: true, settings } })
  },
  'POST /desk/api/file-categories/order': anOrder,
  'POST /desk/api/kyc-categories/add': async (fixture) =>
    by(await enterStaff(fixture), { body: { name: `Set ${newId()}` } }),
  'POST /desk/api/kyc-categories/:id/change': about(aSet),
}

export const requestsOfStaff: Record<string, Prepare> = {
  ...requestsAboutKycDocuments,
  'POST /desk/api/company-bank-accounts/:id/change': about(aCompanyBank(companyBank)),
  'POST /desk/api/company-bank-accounts/:id/archive': about(aCompanyBank()),
  'POST /desk/api/activity': async (fixture) => {
    const person = await enterStaff(fixture)
    fixture.setup.context.clock.advance(61_000)
    return by(person, { body: { mouse: true } })
  },
  'POST /desk/api/account/picture': alone({ picture: aPicture }),
  'POST /desk/api/account/password': async (fixture) => {
    const person = await enterStaff(fixture)
    return by(person, { body: { current_password: person.password, ...newPassword } })
  },
  'POST /desk/api/account/sessions/end': async (fixture) => {
    const person = await enterStaff(fixture)
    return by(person, { body: { _id: await enterElsewhere(fixture.setup.system, 'staff', person) } })
  },
  'POST /desk/api/account/sessions/end-others': async (fixture) => {
    const person = await enterStaff(fixture)
    await enterElsewhere(fixture.setup.system, 'staff', person)
    return by(person)
  },
  'POST /desk/api/members/:id/reset-second-factor': about(withFactor),
  'POST /desk/api/staff/:id/reset-second-factor': about(colleagueWithFactor),
  'POST /desk/api/deposits/:id/approve': about(aDeposit),
  'POST /desk/api/deposits/:id/reject': about(aDeposit),
  'POST /desk/api/deposits/:id/look-again': about(aStuckDeposit),
  'POST /desk/api/openings/:id/look-again': about(anOpeningInDoubt),
  'POST /desk/api/withdrawals/:id/approve': about(aWithdrawal),
  'POST /desk/api/withdrawals/:id/reject': about(aWithdrawal),
  'POST /desk/api/withdrawals/:id/paid': about(aDebited),
  'POST /desk/api/withdrawals/:id/payout-failed': about(aDebited),
  'POST /desk/api/withdrawals/:id/pay-by-provider': about(aPayable),
  'POST /desk/api/withdrawals/:id/look-again': about(aStuckDebit),
  'POST /desk/api/accounts/:id/access': about(async (fixture) => {
    const id = await addPlatformAccount(fixture, await enterMember(fixture))
    return { id }
  }),
  'POST /desk/api/account-differences/:id/decide': about(aDifference),
  'POST /desk/api/reconciliation/days/:day/compare': async (fixture) =>
    by(await enterStaff(fixture), { places: { day: '2026-11-20' } }),
  'POST /desk/api/reconciliation/differences/:id/explain': about(aMismatch),
  'POST /desk/api/reconciliation/differences/:id/reopen': about(anExplainedMismatch),
  'POST /desk/api/workspace/change': async (fixture) =>
    by(await enterStaff(fixture), { body: await changedLists(fixture) }),
  'POST /desk/api/workspace/logo': alone({ logo: aPicture }),
  'POST /desk/api/workspace/vendor-logo': async (fixture) => {
    const vendor = await aVendor(fixture)
    return by(await enterStaff(fixture), { body: { vendor, logo: aPicture } })
  },
  'POST /desk/api/platforms/add': async (fixture) =>
    by(await enterStaff(fixture), { body: { type: 'mt5', name: `Platform ${newId()}` } }),
  'POST /desk/api/platforms/:id/change': about(
    aPlatform({ version: 0, name: 'Renamed', groups: [{ name: 'real\\standard', alias: 'Classic', kind: 'live' }] }),
  ),
  'POST /desk/api/platforms/:id/connection': about(
    aPlatform({ ...connection, version: 0, enabled: true, secret: 'Test-Manager-2' }),
  ),
  'POST /desk/api/platforms/:id/try': about(thePlatform),
  'POST /desk/api/platforms/:id/downloads': about(
    aPlatform({ version: 0, downloads: [{ ...download, archived: false }] }),
  ),
  'POST /desk/api/platforms/files': async (fixture) =>
    by(await enterStaff(fixture), { file: { name: 'setup.exe', content: Buffer.from(`MZ${newId()}`) } }),
  'POST /desk/api/payment-cases/:id/decide': about(aCase),
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
  'POST /desk/api/staff/invite': async (fixture) => by(await enterStaff(fixture), { body: newColleague() }),
  'POST /desk/api/staff/:id/resend-invitation': about(invited),
  'POST /desk/api/staff/:id/role': about(aColleague()),
  'POST /desk/api/staff/:id/lock': about(aColleague()),
  'POST /desk/api/staff/:id/unlock': about(aColleague({ status: 'locked' })),
  'POST /desk/api/staff/:id/end-sessions': about(aColleague()),
  'POST /desk/api/terms': alone(text),
  'POST /desk/api/terms/:id/save': about(terms({ ...text, revision: 1 }, true)),
  'POST /desk/api/terms/:id/publish': about(terms({ revision: 1, asks_again: true }, true)),
  'POST /desk/api/terms/:id/retire': about(terms({})),
  'POST /desk/api/terms/order': async (fixture) => {
    const ids = [
      await addTerms(fixture.setup.staff, { isDraft: true }),
      await addTerms(fixture.setup.staff, { isDraft: true }),
    ]
    return by(await enterStaff(fixture), { body: { ids: ids.reverse() } })
  },
  'POST /desk/api/mails/:id/try-again': about(async ({ setup: { system } }) => ({ id: await addDeadLetters(system) })),
  'POST /desk/api/mails/try-all-again': async (fixture) => {
    await emptied(fixture, 'mails', `state = 'failed'`)
    await addDeadLetters(fixture.setup.system)
    return by(await enterStaff(fixture), { body: {} })
  },
  'POST /desk/api/mails/:id/leave': about(async ({ setup: { system } }) => ({ id: await addDeadLetters(system) })),
  'POST /desk/api/members/invite': async (fixture) => by(await enterStaff(fixture), { body: newMember() }),
  'POST /desk/api/members/:id/resend-invitation': about(invitedMember),
  'POST /desk/api/members/:id/revoke-invitation': about(invitedMember),
  'POST /desk/api/members/:id/details': about(renamed),
  'POST /desk/api/members/:id/type': about(aMember),
  'POST /desk/api/members/:id/referrer': about(referred),
  'POST /desk/api/members/:id/lock': about(aMember),
  'POST /desk/api/members/:id/unlock': about(locked),
  'POST /desk/api/members/:id/permissions': about(aMember),
  'POST /desk/api/members/:id/export': about(aMember),
  'POST /desk/api/members/:id/erase': about(erasable),
  'POST /desk/api/members/:id/sessions/end': async (fixture) => {
    const member = await enterMember(fixture)
    const request = { places: { id: member.id }, body: { session_id: member.sessionId } }
    return by(await enterStaff(fixture), request)
  },
  'POST /desk/api/members/:id/sessions/end-all': about(aMember),
  'POST /desk/api/members/:id/reset-link': about(aMember),
}
