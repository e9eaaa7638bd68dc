import { openingsList } from '@atrium/contract/openings/desk-list.ts'
import { passkeyAttestation } from '@atrium/contract/sessions/factors.ts'
import { sql } from 'kysely'
import { noteDifference } from '../../server/accounts/differences.ts'
import { approveDeposit } from '../../server/deposits/decision.ts'
import { requestDeposit } from '../../server/deposits/deposit.ts'
import type { Member, Staff, System } from '../../server/foundation/actor.ts'
import { audit } from '../../server/foundation/audit.ts'
import type { Context } from '../../server/foundation/context.ts'
import { inTransaction, reading } from '../../server/foundation/database/database.ts'
import { assertState } from '../../server/foundation/errors.ts'
import { newId } from '../../server/foundation/ids.ts'
import { takeTry } from '../../server/foundation/rate-limit.ts'
import { lockTransaction } from '../../server/funding/transaction.ts'
import { lockMember, unlockMember } from '../../server/members/lock.ts'
import { notify } from '../../server/notifications/notify.ts'
import { findProvider } from '../../server/payments/connections/provider.ts'
import { claimPayment, openException } from '../../server/payments/exceptions/exception.ts'
import { recordPaidOut } from '../../server/payments/payouts/payout.ts'
import { insertPayout, lockCurrentPayout, movePayout } from '../../server/payments/payouts/payout-order.ts'
import { startDeposit } from '../../server/payments/start-deposit.ts'
import { keepWebhookEvent } from '../../server/payments/webhook-event.ts'
import { siteOf } from '../../server/sessions/factors/passkey-ceremony.ts'
import { addPasskey, startPasskey } from '../../server/sessions/factors/passkeys.ts'
import { startProof } from '../../server/sessions/factors/proof.ts'
import { confirmTotp, startTotp } from '../../server/sessions/factors/totp.ts'
import { codeAt } from '../../server/sessions/factors/totp-code.ts'
import { rememberDevice } from '../../server/sessions/known-device.ts'
import { requestReset } from '../../server/sessions/passwords/reset-request.ts'
import { signIn } from '../../server/sessions/sign-in.ts'
import { makeUniqueToken } from '../../server/sessions/unique-token.ts'
import { saveListView } from '../../server/staff/list-views.ts'
import { setOwnPicture } from '../../server/staff/picture.ts'
import { acceptTerms } from '../../server/terms/acceptance.ts'
import { makeAuthenticator } from '../fixtures/authenticator.ts'
import { addDocument, addDocumentRequest, addFileCategory, addKycCategory } from '../fixtures/documents.ts'
import { fillForms } from '../fixtures/forms.ts'
import { addIdentityCheck, addIdentityWebhookEvent } from '../fixtures/identity/identity-vendors.ts'
import { answerResetRequests } from '../fixtures/mailbox.ts'
import { addBankAccount, addCompanyBankAccount, addFundAccount, addTransaction } from '../fixtures/payments/money.ts'
import { ensureProvider } from '../fixtures/payments/payment-providers.ts'
import { fillReconciliation } from '../fixtures/reconciliations.ts'
import { addMedia, addRequest, addRequestType, addTerms, addUpload } from '../fixtures/requests.ts'
import { makePng } from '../fixtures/sample-files.ts'
import { fillTickets } from '../fixtures/tickets.ts'
import { addAccount, addAccountMetrics, addDownload, addOpening, addPlatform } from '../fixtures/trading/platforms.ts'
import { addHistory, dealOf } from '../fixtures/trading/trade-history.ts'
import { addMember, addStaff, addWorkspace, memberActor, openTestSession, provenStaff } from '../fixtures/workspaces.ts'

export type FilledWorkspace = {
  workspaceId: string
  memberId: string
  otherMemberId: string
  /** A pending deposit of the member. */
  transactionId: string
  /** Tables whose rows belong to one member each. */
  ownedTables: string[]
}

/** At least one row in every table, for two members: the row security tests must not find any of them. */
export async function fillEveryTable(context: Context, subdomain: string): Promise<FilledWorkspace> {
  const system = await addWorkspace(context, { subdomain })
  const member = await addMember(system)
  const other = await addMember(system)
  const staff = await provenStaff(system, await addStaff(system))
  for (const { memberId } of [member, other]) {
    await lockMember(staff, memberId, 'For the tests')
    await unlockMember(staff, memberId)
  }
  const connection = { settings: { baseUrl: 'https://mt5.invalid' }, secret: { managerPassword: 'x' } }
  const platformId = await addPlatform(system, { connection })
  await inTransaction(system, (tx) => noteDifference(tx, system, platformId, unknownAccount))
  await addDownload(system, { platformId, content: Buffer.from('%PDF-1.4\n%%EOF\n') })
  const destination_id = await addCompanyBankAccount(system)
  const requestTypeId = await addRequestType(system)
  const owned = { system, platformId, destination_id, requestTypeId }
  const transactionId = await fillMember(owned, member.memberId)
  const decided = await fillMember(owned, other.memberId)
  await approveDeposit(staff, decided)
  await inTransaction(system, (tx) =>
    tx
      .insertInto('workspace_logos')
      .values({
        workspace_id: system.workspaceId,
        logo_id: newId(),
        content_type: 'image/png',
        content: Buffer.from('a picture'),
        created_at: context.clock.now(),
      })
      .execute(),
  )
  await setOwnPicture(staff, makePng().toString('base64'))
  await saveListView(staff, { list: openingsList, saved: [{ name: 'Mine', search: { q: 'hart' } }], hidden: [] })
  await fillLedger(staff, decided)
  await fillReconciliation(system, { platformId, accountId: await anAccount(system) })
  await fillTerms(system, staff, [member.memberId, other.memberId])
  await fillTickets(system, staff, [member.memberId, other.memberId])
  await fillForms(system, [member.memberId, other.memberId])
  for (const { email, password } of [member, other]) {
    await askForResets(system, email)
    await signIn(system, 'member', { email, password }, device)
  }
  await fillWebhookEvents(system)
  await fillWrites(system, [member.memberId, other.memberId], staff.staffId)
  await addIdentityWebhookEvent(system)
  await takeTry(system, { name: 'test', triesMax: 5, windowSeconds: 60 }, 'anybody')
  return {
    workspaceId: system.workspaceId,
    memberId: member.memberId,
    otherMemberId: other.memberId,
    transactionId,
    ownedTables: await tablesWithMember(system),
  }
}

/** Recorded only when a read replica exists; it tracks which writes the replica must contain. */
async function fillWrites(system: System, memberIds: readonly string[], staffId: string): Promise<void> {
  const { workspaceId } = system
  await inTransaction(system, async (tx) => {
    for (const memberId of memberIds)
      await sql`insert into member_writes (workspace_id, member_id, xid) values (${workspaceId}, ${memberId}, pg_current_xact_id())`.execute(
        tx,
      )
    await sql`insert into staff_writes (workspace_id, staff_id, xid) values (${workspaceId}, ${staffId}, pg_current_xact_id())`.execute(
      tx,
    )
  })
}

async function fillWebhookEvents(system: System): Promise<void> {
  const provider = await reading(system, (tx) => findProvider(tx, system, 'safecharge'))
  assertState(provider, 'a provider was added')
  const received = { method: 'POST', query: '', body: Buffer.from('PPP_TransactionID=7001'), headers: {} }
  await keepWebhookEvent(system, provider, received, {})
  await inTransaction(system, async (tx) => {
    const order = await tx
      .selectFrom('deposit_orders')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .orderBy('order_id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const paid = {
      attempt: order.attempt,
      reference: '7001',
      amount: '1.00',
      currency: 'USD',
      reason: null,
      word: 'OK',
    }
    await openException(tx, system, order, { reported: { ...paid, state: 'paid' }, why: 'amount_differs' })
    const { provider_id, transaction_id } = order
    await claimPayment(tx, system, { provider_id, payment: '7000', transaction_id })
  })
}

const anAccount = (system: System): Promise<string> =>
  reading(system, async (tx) => {
    const accounts = tx.selectFrom('trading_accounts').select('account_id')
    return (await accounts.where('workspace_id', '=', system.workspaceId).executeTakeFirstOrThrow()).account_id
  })

/** The findings of the ledger check. */
async function fillLedger(staff: Staff, transaction_id: string): Promise<void> {
  const [workspace_id, now] = [staff.workspaceId, staff.context.clock.now()]
  await inTransaction(staff, async (tx) => {
    const finding = { workspace_id, kind: 'no-ticket', subject: transaction_id, detail: 'For the tests' }
    await tx
      .insertInto('ledger_findings')
      .values({ ...finding, found_at: now, seen_at: now })
      .execute()
    await tx.insertInto('ledger_checks').values({ workspace_id, checked_at: now }).execute()
  })
}

/** Published, and accepted by each of these members, so that it blocks no test. */
async function fillTerms(system: System, staff: Staff, memberIds: string[]): Promise<void> {
  const id = await addTerms(staff, { blocked_portal_sections: ['downloads'] })
  for (const memberId of memberIds)
    await acceptTerms(await memberActor(system, memberId), { id }, { address: '127.0.0.1', userAgent: 'test' })
}

const device = { address: '127.0.0.1', userAgent: null }

/** An app, a passkey with recovery codes, and a pending challenge. */
async function addFactors(member: Member): Promise<void> {
  const { secret } = await startTotp(member)
  await confirmTotp(member, codeAt(secret, member.context.clock.now()))
  const { origin } = await reading(member, (tx) => siteOf(tx, member))
  const authenticator = makeAuthenticator(origin)
  const passkey = passkeyAttestation.parse(authenticator.register(await startPasskey(member)))
  await addPasskey(member, { name: 'Laptop', passkey })
  await startProof(member)
}

/** One reset that a job has processed, with its code and mail, and one pending. */
async function askForResets(system: System, email: string): Promise<void> {
  await requestReset(system, 'member', email, device)
  await answerResetRequests(system)
  await requestReset(system, 'member', email, device)
}

const unknownAccount = {
  kind: 'unknown_owner',
  login: '799001',
  accountId: null,
  reason: 'no_address',
  at: null,
} as const

const someNotification = {
  kind: 'ticket.answered',
  dedupeKey: 'for-the-tests',
  title: 'Ticket {{number}} was answered',
  body: 'For the tests',
  details: { number: '1001' },
  target: { kind: 'ticket' },
} as const

type Shared = { system: System; platformId: string; destination_id: string; requestTypeId: string }

async function fillMember(shared: Shared, memberId: string): Promise<string> {
  const { system, platformId, destination_id, requestTypeId } = shared
  const { sessionId } = await openTestSession(system, { kind: 'member', id: memberId })
  await inTransaction(system, (tx) =>
    rememberDevice(tx, system, { kind: 'member', id: memberId }, { address: null, userAgent: 'test' }),
  )
  const actor = { ...(await memberActor(system, memberId)), sessionId }
  await addFactors(actor)
  const accountId = await addAccount(system, { memberId, platformId })
  await addAccountMetrics(system, { memberId, accountId })
  await addOpening(system, { memberId, platformId })
  await addHistory(system, { memberId, accountId, platformId }, [dealOf({ id: '136001', comment: 'For the tests' })])
  const origin_id = await addBankAccount(system, { memberId })
  const qr_media_id = await addMedia(system, { memberId, ...qr })
  await addFundAccount(system, { memberId, qr_media_id })
  const media = await addMedia(system, { memberId })
  await addUpload(system, { memberId })
  await inTransaction(system, (tx) => notify(tx, system, { ...someNotification, memberId }))
  await addRequest(system, { memberId, requestTypeId })
  await fillKycDocuments(system, memberId)
  await inTransaction(system, (tx) =>
    tx
      .insertInto('member_addresses')
      .values({ workspace_id: system.workspaceId, member_id: memberId, address_id: newId(), city: 'Valletta' })
      .execute(),
  )
  const deposit = await requestDeposit(actor, {
    trading_account: accountId,
    amount: '100.00',
    comment: 'For the tests',
    origin_id,
    destination_id,
    files: [media],
    token_key: 'transaction_deposit',
    nonce_token: await makeUniqueToken(actor, 'transaction_deposit'),
  })
  await ensureProvider(system)
  await startDeposit(actor, {
    trading_account: accountId,
    amount: '100.00',
    payment_method: 'safecharge',
    country: 'MT',
    city: 'Valletta',
    address_line_1: '1 Harbour Street',
    phone: '+35621224455',
    email: 'tests@example.com',
    token_key: 'transaction_deposit',
    nonce_token: await makeUniqueToken(actor, 'transaction_deposit'),
  })
  await addTransaction(actor, { memberId, accountId, type: 'withdrawal', destination_id: origin_id })
  await fillPayout(system, { memberId, accountId })
  await inTransaction(actor, (tx) =>
    audit(tx, actor, { action: 'test.filled', subject: { kind: 'member', id: memberId } }),
  )
  return deposit._id
}

/** A KYC document that was uploaded, and one that is requested without a known staff member. */
async function fillKycDocuments(system: System, memberId: string): Promise<void> {
  await addKycCategory(system)
  const category = await addFileCategory(system)
  await addDocument(system, { memberId, category })
  await addDocumentRequest(system, { memberId, category })
  await addIdentityCheck(system, memberId)
}

/** No provider is called: the payout was marked as paid manually. */
async function fillPayout(system: System, owner: { memberId: string; accountId: string }): Promise<void> {
  const way = { type: 'withdrawal', state: 'paying', destination: 'psp:safecharge' }
  const id = await addTransaction(system, { ...owner, ...way, debited_at: system.context.clock.now() })
  await inTransaction(system, async (tx) => {
    const withdrawal = await lockTransaction(tx, system, id)
    await insertPayout(tx, system, withdrawal)
    const payout = await lockCurrentPayout(tx, system, id)
    if (payout) await movePayout(tx, system, payout, 'dropped')
    await recordPaidOut(tx, system, withdrawal, 'For the tests')
  })
}

const qr = { purpose: 'qr', kind: 'image', extension: 'png', name: 'qr.png', content_type: 'image/png' }

async function tablesWithMember(system: System): Promise<string[]> {
  const found = await system.context.database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'member_id'`,
  )
  return found.rows.map((row) => row.name)
}
