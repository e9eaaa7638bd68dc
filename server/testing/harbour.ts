import { randomBytes } from 'node:crypto'
import type { TermsText } from '@atrium/contract/desk-terms.ts'
import type { Features, MemberType } from '@atrium/contract/scopes.ts'
import { features, heldPermissions } from '@atrium/contract/scopes.ts'
import type { Insertable } from 'kysely'
import { type Actor, type Member, type Staff, type System, systemActor } from '../foundation/actor.ts'
import type {
  BalanceTransactions,
  BankAccounts,
  CompanyBankAccounts,
  FundAccounts,
  Media,
  Members,
  PlatformDownloads,
  Requests,
  RequestTypes,
  StaffUsers,
  TradingAccounts,
} from '../foundation/database.generated.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import type { Ground } from '../foundation/ground.ts'
import { newId } from '../foundation/ids.ts'
import { hashPassword } from '../sessions/password.ts'
import type { PersonKey } from '../sessions/person.ts'
import { openSession, type Tokens } from '../sessions/session.ts'
import { readPendingRows, selectPendingTerms } from '../terms/pending.ts'
import { createTerms, publishTerms } from '../terms/template.ts'
import { makeIntentTag } from '../trading-platforms/intent-tag.ts'
import { readFeatures, readSettings } from '../workspaces/workspace.ts'

/**
 * Builders for tests: each makes one row that is right unless told otherwise, and answers what a test needs of it. They
 * write through the same scoped transactions as the program, so a row that a builder makes is one that the program could.
 */
export const harbourPassword = 'Harbour-2026'

const allOn = Object.fromEntries(features.map((feature) => [feature, true])) as Features

/** One hash serves every builder: argon2 is slow on purpose, and a test file makes many people. */
const harbourHash = hashPassword(harbourPassword)

let counted = 0
/** A number that no earlier call of this process gave, for what must differ. */
function nextCount(): number {
  counted += 1
  return counted
}

type WorkspaceOptions = {
  subdomain?: string
  isDefault?: boolean
  name?: string
  features?: Partial<Features>
  settings?: Record<string, unknown>
}

/** A brokerage with every feature on, whose staff may sign in with a password alone. The first one that says so is the default workspace of a bare host. */
export async function addWorkspace(ground: Ground, options: WorkspaceOptions = {}): Promise<System> {
  const system = systemActor(ground, newId())
  const subdomain = options.subdomain ?? `brokerage-${nextCount()}`
  await inTransaction(system, (tx) =>
    tx
      .insertInto('workspaces')
      .values({
        workspace_id: system.workspaceId,
        subdomain,
        is_default: options.isDefault ?? false,
        name: options.name ?? `Brokerage ${subdomain}`,
        features: JSON.stringify({ ...allOn, ...options.features }),
        settings: JSON.stringify({ second_factor_staff: 'optional', ...options.settings }),
      })
      .execute(),
  )
  return system
}

/** Turns features of a brokerage on and off; those not named keep what the builder gave them: on. */
export async function setFeatures(system: System, changes: Partial<Features>): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('workspaces')
      .set({ features: JSON.stringify({ ...allOn, ...changes }) })
      .where('workspace_id', '=', system.workspaceId)
      .execute(),
  )
}

/** What a member holds beside that which every member does, denials with their trailing minus. */
export async function setPermissions(system: System, memberId: string, permissions: string[]): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('members')
      .set({ permissions })
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .execute(),
  )
}

type Made<Row> = Partial<Omit<Insertable<Row>, 'workspace_id' | 'member_id' | 'created_at'>> & { created_at?: Date }

export type MadeMember = { memberId: string; email: string; password: string }

export async function addMember(system: System, values: Made<Members> = {}): Promise<MadeMember> {
  const count = nextCount()
  const memberId = newId()
  const email = values.email ?? `member-${count}@harbour.test`
  const password_hash = await harbourHash
  await inTransaction(system, (tx) =>
    tx
      .insertInto('members')
      .values({
        customer_number: String(100_000 + count),
        first_name: 'Mara',
        last_name: 'Member',
        emails: [email],
        password_hash,
        created_at: system.ground.clock.now(),
        ...values,
        email,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return { memberId, email, password: harbourPassword }
}

/** The member as a proven session would make them, flags and permissions read from the rows. */
export async function memberActor(system: System, memberId: string): Promise<Member> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('members')
      .innerJoin('workspaces', 'workspaces.workspace_id', 'members.workspace_id')
      .select(['members.type', 'members.permissions', 'workspaces.features', 'workspaces.settings'])
      .select(selectPendingTerms(system.workspaceId, 'members.member_id'))
      .where('members.workspace_id', '=', system.workspaceId)
      .where('members.member_id', '=', memberId)
      .executeTakeFirstOrThrow(),
  )
  const permissions = heldPermissions(readSettings(row.settings).default_permissions, row.permissions)
  const type = row.type as MemberType
  return {
    ...system,
    kind: 'member',
    memberId,
    sessionId: newId(),
    type,
    permissions,
    features: readFeatures(row.features),
    terms: readPendingRows(row.pending_terms),
    mustEnrol: false,
  }
}

/** As staff do who have looked at the member's papers. */
export async function approveDocuments(system: System, memberId: string): Promise<void> {
  await inTransaction(system, (tx) =>
    tx
      .updateTable('members')
      .set({ documents_status: 'approved' })
      .where('workspace_id', '=', system.workspaceId)
      .where('member_id', '=', memberId)
      .execute(),
  )
}

type OpeningValues = { memberId: string; platformId: string; kind?: 'live' | 'demo'; group?: string }

/** An opening that was written down and not handed over yet. */
export async function addOpening(
  system: System,
  { memberId, platformId, kind = 'live', group = 'real\\standard' }: OpeningValues,
): Promise<string> {
  const opening_id = newId()
  const now = system.ground.clock.now()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('account_openings')
      .values({
        workspace_id: system.workspaceId,
        opening_id,
        member_id: memberId,
        kind,
        platform_id: platformId,
        group_name: group,
        leverage: 100,
        tag: makeIntentTag(),
        state: 'ready',
        lease_until: now,
        next_step_at: now,
        created_at: now,
      })
      .execute(),
  )
  return opening_id
}

export type MadeStaff = { staffId: string; email: string; password: string; role: string; name: string }

export async function addStaff(system: System, values: Made<StaffUsers> = {}): Promise<MadeStaff> {
  const given = { name: 'Sela Staff', email: `staff-${nextCount()}@harbour.test`, ...values }
  const staff = { ...given, role: values.role ?? 'administrator' }
  const staffId = newId()
  const password_hash = await harbourHash
  await inTransaction(system, (tx) =>
    tx
      .insertInto('staff_users')
      .values({
        password_hash,
        created_at: system.ground.clock.now(),
        ...staff,
        workspace_id: system.workspaceId,
        staff_id: staffId,
      })
      .execute(),
  )
  return { staffId, email: staff.email, password: harbourPassword, role: staff.role, name: staff.name }
}

export function staffActor(system: System, { staffId, role, name }: MadeStaff): Staff {
  return { ...system, kind: 'staff', staffId, role, name, sessionId: newId(), mustEnrol: false }
}

/** A signed-in session: `token` is the bearer, `fileToken` the cookie for files. */
export function openTestSession(system: System, person: PersonKey): Promise<Tokens> {
  return inTransaction(system, (tx) => openSession(tx, system, person, { address: null, userAgent: 'test' }))
}

type PlatformOptions = {
  type?: 'mt4' | 'mt5'
  name?: string
  groups?: { name: string; alias: string }[]
  /** Without one the platform is known but cannot be reached. */
  connection?: { settings: object; secret: object; settleMs?: number; lookAgainMs?: number; leaseMs?: number }
}

export async function addPlatform(system: System, options: PlatformOptions = {}): Promise<string> {
  const key = { workspace_id: system.workspaceId, platform_id: newId() }
  const { connection } = options
  await inTransaction(system, async (tx) => {
    await tx
      .insertInto('trading_platforms')
      .values({
        ...key,
        type: options.type ?? 'mt5',
        name: options.name ?? 'MetaTrader 5',
        groups: JSON.stringify(options.groups ?? [{ name: 'real\\standard', alias: 'Standard' }]),
        created_at: system.ground.clock.now(),
      })
      .execute()
    if (!connection) return
    await tx
      .insertInto('platform_connections')
      .values({
        ...key,
        settings: JSON.stringify(connection.settings),
        sealed_secret: system.ground.seal.seal(JSON.stringify(connection.secret)),
        ...(connection.settleMs !== undefined && { settle_ms: connection.settleMs }),
        ...(connection.lookAgainMs !== undefined && { look_again_ms: connection.lookAgainMs }),
        ...(connection.leaseMs !== undefined && { lease_ms: connection.leaseMs }),
      })
      .execute()
  })
  return key.platform_id
}

type AccountValues = Made<Omit<TradingAccounts, 'platform_id'>> & { memberId: string; platformId: string }

export async function addAccount(system: System, values: AccountValues): Promise<string> {
  const { memberId, platformId, ...given } = values
  const account_id = given.account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('trading_accounts')
      .values({
        platform_login: String(500_000 + nextCount()),
        live_account: true,
        group_name: 'real\\standard',
        leverage: 100,
        currency: 'USD',
        created_at: system.ground.clock.now(),
        ...given,
        account_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
        platform_id: platformId,
      })
      .execute(),
  )
  return account_id
}

type FiguresValues = { memberId: string; accountId: string; at?: Date; balance?: string; equity?: string }

/** How an account stood at a moment. */
export async function addFigures(system: System, { memberId, accountId, ...values }: FiguresValues): Promise<void> {
  const figures = { at: system.ground.clock.now(), balance: '1000.00', equity: '1001.50', ...values }
  const key = { workspace_id: system.workspaceId, account_id: accountId, member_id: memberId }
  await inTransaction(system, (tx) =>
    tx
      .insertInto('account_figures')
      .values({ ...key, ...figures })
      .execute(),
  )
}

type DownloadValues = Made<Omit<PlatformDownloads, 'platform_id'>> & { platformId: string; content?: Buffer }

/** A link unless there is content: then a file, its bytes in the store. */
export async function addDownload(
  system: System,
  values: DownloadValues,
): Promise<{ id: string; fileId: string | null }> {
  const { platformId, content, ...given } = values
  const key = { workspace_id: system.workspaceId, created_at: system.ground.clock.now() }
  const id = newId()
  const file_id = content ? newId() : null
  const storage_key = `${system.workspaceId}/${file_id}`
  if (content) await system.ground.files.write(storage_key, content)
  await inTransaction(system, async (tx) => {
    if (content && file_id)
      await tx
        .insertInto('platform_files')
        .values({
          ...{ ...key, file_id, name: 'guide.pdf', content_type: 'application/pdf', storage_key },
          ...{ size_bytes: content.length, sha256: randomBytes(32) },
        })
        .execute()
    await tx
      .insertInto('platform_downloads')
      .values({
        ...{
          system: 'windows',
          name: 'MetaTrader 5',
          link: content ? null : 'https://downloads.example.com/setup.exe',
        },
        ...{ position: nextCount(), file_id },
        ...given,
        ...{ ...key, download_id: id, platform_id: platformId },
      })
      .execute()
  })
  return { id, fileId: file_id }
}

export async function addCompanyBankAccount(system: System, values: Made<CompanyBankAccounts> = {}): Promise<string> {
  const company_bank_account_id = values.company_bank_account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('company_bank_accounts')
      .values({
        currency: 'USD',
        account_holder: 'Harbour Markets Ltd',
        bank_account: '00112233',
        swift: 'HARBGB2L',
        bank_name: 'Harbour Bank',
        created_at: system.ground.clock.now(),
        ...values,
        company_bank_account_id,
        workspace_id: system.workspaceId,
      })
      .execute(),
  )
  return company_bank_account_id
}

type Owned<Row> = Made<Row> & { memberId: string }

export async function addBankAccount(system: System, values: Owned<BankAccounts>): Promise<string> {
  const { memberId, ...given } = values
  const bank_account_id = given.bank_account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('bank_accounts')
      .values({
        currency: 'USD',
        account_holder: 'Mara Member',
        iban_number: 'GB33BUKB20201555555555',
        swift: 'BUKBGB22',
        bank_name: 'Members Bank',
        created_at: system.ground.clock.now(),
        usable_from: system.ground.clock.now(),
        ...given,
        bank_account_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return bank_account_id
}

/** A wallet that may be used; with `usable_from` one that still rests. */
export async function addFundAccount(system: System, values: Owned<FundAccounts>): Promise<string> {
  const { memberId, ...given } = values
  const fund_account_id = given.fund_account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('fund_accounts')
      .values({
        type: 'crypto',
        name: 'Savings wallet',
        provider: 'Ledger',
        preferred_currency: 'BTC',
        address_id: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        created_at: system.ground.clock.now(),
        usable_from: system.ground.clock.now(),
        ...given,
        fund_account_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return fund_account_id
}

/** An uploaded file that nothing is attached to yet, its bytes in the store. */
export async function addMedia(system: System, values: Owned<Media> & { content?: Buffer }): Promise<string> {
  const { memberId, content = Buffer.from('%PDF-1.4\n%%EOF\n'), ...given } = values
  const media_id = given.media_id ?? newId()
  const storage_key = `${system.workspaceId}/${media_id}`
  await system.ground.files.write(storage_key, content)
  await inTransaction(system, (tx) =>
    tx
      .insertInto('media')
      .values({
        purpose: 'receipt',
        kind: 'file',
        name: 'receipt.pdf',
        extension: 'pdf',
        content_type: 'application/pdf',
        size_bytes: content.length,
        sha256: randomBytes(32),
        storage_key,
        created_at: system.ground.clock.now(),
        ...given,
        media_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return media_id
}

type TransactionValues = Owned<Omit<BalanceTransactions, 'account_id'>> & { accountId: string }

/** A transaction that stands in its state already, as history does. Deposits under test come through the operation. */
export async function addTransaction(actor: Actor, values: TransactionValues): Promise<string> {
  const { memberId, accountId, ...given } = values
  const transaction_id = given.transaction_id ?? newId()
  const state = given.state ?? 'pending'
  await inTransaction(actor, (tx) =>
    tx
      .insertInto('balance_transactions')
      .values({
        ticket: 900_000 + nextCount(),
        type: 'deposit',
        amount: '100.00',
        currency: 'USD',
        source: 'client',
        payment_method: 'manual_transfer',
        created_at: actor.ground.clock.now(),
        ...(['approved', 'paying', 'returning'].includes(state) && { platform_ticket: String(700_000 + nextCount()) }),
        ...(state === 'rejected' && { rejection_reason: 'other' }),
        ...given,
        state,
        transaction_id,
        workspace_id: actor.workspaceId,
        member_id: memberId,
        account_id: accountId,
      })
      .execute(),
  )
  return transaction_id
}

export async function addRequestType(system: System, values: Made<RequestTypes> = {}): Promise<string> {
  const request_type_id = values.request_type_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('request_types')
      .values({
        name: 'Change of address',
        created_at: system.ground.clock.now(),
        ...values,
        request_type_id,
        workspace_id: system.workspaceId,
      })
      .execute(),
  )
  return request_type_id
}

type RequestValues = Owned<Omit<Requests, 'request_type_id' | 'number'>> & { number?: number } & {
  requestTypeId: string
}

export async function addRequest(system: System, values: RequestValues): Promise<string> {
  const { memberId, requestTypeId, ...given } = values
  const request_id = given.request_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('requests')
      .values({
        number: 1_000 + nextCount(),
        subject: 'Change of address',
        created_at: system.ground.clock.now(),
        ...given,
        request_id,
        request_type_id: requestTypeId,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return request_id
}

type TermsValues = Partial<TermsText> & { isDraft?: boolean }

/** Published terms, or a draft of some. */
export async function addTerms(staff: Staff, { isDraft = false, ...text }: TermsValues = {}): Promise<string> {
  const id = await createTerms(staff, {
    name: `Client agreement ${nextCount()}`,
    tickbox_text: 'I have read and accept the client agreement.',
    template: '<h2>Client agreement</h2><p>You trade at your own risk.</p>',
    blocked_portal_sections: ['deposit'],
    ...text,
  })
  if (!isDraft) await publishTerms(staff, { id, revision: 1, asks_again: true })
  return id
}
