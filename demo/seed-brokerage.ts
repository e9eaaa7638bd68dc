import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type System, systemActor } from '../server/foundation/actor.ts'
import { nextNumber } from '../server/foundation/counters.ts'
import { inTransaction, type Tx } from '../server/foundation/database.ts'
import type { Ground } from '../server/foundation/ground.ts'
import { newId } from '../server/foundation/ids.ts'
import { askForDays } from '../server/reconciliation/ask.ts'
import { hashPassword } from '../server/sessions/password.ts'
import { listWorkspaces } from '../server/workspaces/workspace.ts'
import { accounts, brokerage, colleagues, demoPassword, people, signIns } from './harbour-markets.ts'
import { bankAccounts, type DemoTransaction, transactions } from './harbour-money.ts'
import { moreMembers } from './more-members.ts'
import { makeReceipt } from './receipt.ts'
import { addBanking, writeWalletPicture } from './seed-banking.ts'
import { addPaymentCase } from './seed-case.ts'
import { addReferredClients } from './seed-clients.ts'
import { addPlatforms, pointAtSimulators } from './seed-connections.ts'
import { addDocuments, writeDocumentFiles } from './seed-documents.ts'
import { addDownloads } from './seed-downloads.ts'
import { addFigures } from './seed-figures.ts'
import { addUndeliveredMails } from './seed-mails.ts'
import { addNotices } from './seed-notices.ts'
import { addOpenings } from './seed-openings.ts'
import { pointAtPayments } from './seed-payments.ts'
import { bookHistory, momentOf, platformOf, seedPlatforms } from './seed-platform.ts'
import { addRequests } from './seed-requests.ts'
import { addTerms } from './seed-terms.ts'
import { addTickets } from './seed-tickets.ts'
import type { Simulators } from './simulators.ts'

type Owner = keyof typeof people
type Ids = Record<Owner | 'staff', string>

/** Makes the demo brokerage on an empty database; on any other, only tells it where the simulators are today. */
export async function seedDemo(ground: Ground, simulators: Simulators): Promise<'seeded' | 'kept'> {
  const existing = (await listWorkspaces(ground))[0]
  if (!existing) {
    await seedBrokerage(ground, simulators)
    return 'seeded'
  }
  await seedPlatforms(simulators, ground.clock.now().getTime())
  await inTransaction(existing, async (tx) => {
    await pointAtSimulators(tx, existing, simulators)
    await pointAtPayments(tx, existing, simulators)
  })
  return 'kept'
}

/** Which brokerage a host means: the default one of a bare host, or the one whose subdomain it names. */
export type Place = { subdomain: string; isDefault: boolean }

/** The demo brokerage with its people and history, on simulators of its own. A database may hold several of them. */
export async function seedBrokerage(
  ground: Ground,
  simulators: Simulators,
  place: Place = { subdomain: brokerage.subdomain, isDefault: true },
): Promise<System> {
  const now = ground.clock.now().getTime()
  await seedPlatforms(simulators, now)
  const tickets = await bookHistory(simulators, now)
  const system = systemActor(ground, newId())
  const passwordHash = await hashPassword(demoPassword)
  const receipts = await writeReceipts(system)
  const walletPicture = await writeWalletPicture(system)
  const figures = await readFigures(simulators)
  const files = await writeDocumentFiles(system)
  await inTransaction(system, async (tx) => {
    await addBrokerage(tx, system, place)
    const ids = await addPeople(tx, system, passwordHash)
    const accountIds = await addAccounts(tx, system, { ids, simulators, figures })
    await addOpenings(tx, system, { ids, accountIds, now })
    await addFigures(tx, system, { ids, accountIds, figures })
    await addBanking(tx, system, ids, walletPicture)
    await pointAtPayments(tx, system, simulators)
    await addRequests(tx, system, ids)
    await addNotices(tx, system, ids.member)
    await addUndeliveredMails(tx, system, ids)
    await addReferredClients(tx, system, ids)
    await tx.insertInto('members').values(moreMembers(system.workspaceId, now)).execute()
    await addDocuments(tx, system, { ...ids, files, now })
    await addTerms(tx, system, { staffId: ids.staff, accepted: [ids.member, ids.second, ids.sales], now })
    await addTransactions(tx, system, { ids, accountIds, tickets, receipts, now })
    await addTickets(tx, system, { ids, accountIds, now })
    await addPaymentCase(tx, system, { memberId: ids.second, accountId: accountIds.get('700207') ?? '' })
    await askForDays(tx, system, comparedDays(now))
  })
  return system
}

/** The days of the last two months on which something was moved, for the desk's reconciliation. */
const comparedDays = (now: number): Date[] =>
  transactions
    .filter(({ state, daysAgo }) => state === 'approved' && daysAgo < 60)
    .map(({ daysAgo }) => new Date(momentOf(daysAgo, now)))

async function addBrokerage(tx: Tx, system: System, { subdomain, isDefault }: Place): Promise<void> {
  const { features, settings, ...named } = brokerage
  const values = {
    ...{ ...named, subdomain, is_default: isDefault },
    features: JSON.stringify(features),
    settings: JSON.stringify(settings),
  }
  await tx
    .insertInto('workspaces')
    .values({ ...values, workspace_id: system.workspaceId })
    .execute()
}

const dayMs = 86_400_000

async function addPeople(tx: Tx, system: System, password_hash: string): Promise<Ids> {
  const now = system.ground.clock.now()
  const created_at = now
  const ids: Ids = { member: newId(), second: newId(), new: newId(), sales: newId(), staff: newId() }
  for (const owner of Object.keys(people) as Owner[]) {
    const { address, phones, joinedDaysAgo, ...person } = people[owner]
    const created_at = new Date(now.getTime() - joinedDaysAgo * dayMs)
    const key = { workspace_id: system.workspaceId, member_id: ids[owner] }
    const email = signIns[owner]
    const type = owner === 'sales' ? 'sales_person' : 'client'
    const values = { ...key, ...person, type, phones: [...phones], email, emails: [email], password_hash, created_at }
    await tx.insertInto('members').values(values).execute()
    if (address) {
      await tx
        .insertInto('member_addresses')
        .values({ ...key, ...address, address_id: newId(), is_primary: true })
        .execute()
    }
  }
  const staff = { workspace_id: system.workspaceId, staff_id: ids.staff, name: 'Nora Vella', email: signIns.staff }
  await tx
    .insertInto('staff_users')
    .values([
      { ...staff, password_hash, created_at },
      ...colleagues.map((colleague) => ({
        ...colleague,
        workspace_id: system.workspaceId,
        staff_id: newId(),
        has_password: colleague.status === 'active',
        password_hash,
        created_at,
      })),
    ])
    .execute()
  return ids
}

type Figures = { balance: string; equity: string; floating: string }

/** What the platform says of each account after its trades, so that the portal's first picture is already a true one. */
async function readFigures(simulators: Simulators): Promise<Map<string, Figures>> {
  const figures = new Map<string, Figures>()
  for (const account of accounts) {
    const state = await platformOf(simulators, account).account(account.login)
    if (state) figures.set(account.login, { balance: state.balance, equity: state.equity, floating: state.floating })
  }
  return figures
}

type OnPlatform = { ids: Ids; simulators: Simulators; figures: Map<string, Figures> }

async function addAccounts(
  tx: Tx,
  system: System,
  { ids, simulators, figures }: OnPlatform,
): Promise<Map<string, string>> {
  const created_at = system.ground.clock.now()
  const platformIds = await addPlatforms(tx, system)
  await addDownloads(tx, system, platformIds)
  await pointAtSimulators(tx, system, simulators)
  const accountIds = new Map<string, string>()
  for (const [index, account] of accounts.entries()) {
    const account_id = newId()
    accountIds.set(account.login, account_id)
    await tx
      .insertInto('trading_accounts')
      .values({
        workspace_id: system.workspaceId,
        account_id,
        member_id: ids[account.owner],
        platform_id: platformIds[account.platform],
        platform_login: account.login,
        live_account: account.live,
        type: account.live ? 'Standard' : 'Demo',
        group_name: account.group,
        leverage: account.leverage,
        currency: account.currency,
        country_code: account.country,
        city: account.city,
        ...figures.get(account.login),
        synced_at: created_at,
        // Lists are newest first, and the account that is used most should lead them.
        created_at: new Date(created_at.getTime() - index * 3_600_000),
      })
      .execute()
  }
  return accountIds
}

type Receipt = { media_id: string; storage_key: string; content: Buffer; isPicture: boolean }

/** Files first, rows after: a row without its file would be a promise nobody can keep. */
async function writeReceipts(system: System): Promise<Map<number, Receipt>> {
  const receipts = new Map<number, Receipt>()
  for (const [index, transaction] of transactions.entries()) {
    if (transaction.type !== 'deposit') continue
    const media_id = newId()
    const isPicture = transaction.picture !== undefined
    const content = transaction.picture
      ? readFileSync(new URL(`./receipts/${transaction.picture}`, import.meta.url))
      : paperReceipt(transaction)
    const receipt = { media_id, storage_key: `${system.workspaceId}/${media_id}`, content, isPicture }
    await system.ground.files.write(receipt.storage_key, content)
    receipts.set(index, receipt)
  }
  return receipts
}

function paperReceipt({ amount, login, comment }: DemoTransaction): Buffer {
  const account = accounts.find((each) => each.login === login)
  return makeReceipt([
    'Transfer confirmation',
    `Amount: ${amount} ${account?.currency}`,
    'Beneficiary: Harbour Markets Ltd',
    `Reference: account ${login}`,
    `Note: ${comment}`,
  ])
}

type History = {
  ids: Ids
  accountIds: Map<string, string>
  tickets: Map<number, string>
  receipts: Map<number, Receipt>
  now: number
}

function bankOf(owner: Owner): string {
  const bank = bankAccounts.findLast((each) => each.owner === owner)
  return bank ? `${bank.bank_name}, ${bank.account_holder}` : ''
}

async function addTransactions(tx: Tx, system: System, history: History): Promise<void> {
  const oldestFirst = [...transactions.entries()].sort(([, left], [, right]) => right.daysAgo - left.daysAgo)
  for (const [index, transaction] of oldestFirst) {
    const account = accounts.find((each) => each.login === transaction.login)
    if (!account) throw new Error(`The demo has no account ${transaction.login}`)
    const created_at = new Date(momentOf(transaction.daysAgo, history.now))
    const key = { workspace_id: system.workspaceId, transaction_id: newId(), member_id: history.ids[account.owner] }
    const { type, amount, state, comment } = transaction
    await tx
      .insertInto('balance_transactions')
      .values({
        ...key,
        ticket: await nextNumber(tx, system, 'transaction'),
        account_id: history.accountIds.get(transaction.login) ?? '',
        type,
        amount,
        currency: account.currency,
        state,
        source: 'client',
        payment_method: 'manual',
        comment,
        approvals_needed: transaction.takesTwo ? 2 : 1,
        origin: type === 'deposit' ? bankOf(account.owner) : null,
        destination: type === 'deposit' ? 'Bank of the Grand Harbour' : 'bank_account',
        destination_text: type === 'deposit' ? null : bankOf(account.owner),
        platform_ticket: history.tickets.get(index) ?? null,
        rejection_reason: transaction.reason ?? null,
        rejection_note: transaction.note ?? null,
        created_at,
      })
      .execute()
    await addTimeline(tx, key, { ...transaction, at: created_at, staffId: history.ids.staff })
    const receipt = history.receipts.get(index)
    if (receipt) await attachReceipt(tx, key, receipt, created_at)
  }
}

type Key = { workspace_id: string; transaction_id: string; member_id: string }

async function addTimeline(
  tx: Tx,
  key: Key,
  story: { type: string; state: string; note?: string; at: Date; staffId: string },
): Promise<void> {
  const hour = 3_600_000
  const events = [{ event: `${story.type}.requested`, actor_kind: 'member', after: 0, note: null as string | null }]
  if (story.state === 'approved') {
    events.push({ event: `${story.type}.approved-by-desk`, actor_kind: 'staff', after: 3 * hour, note: null })
    const settled = story.type === 'deposit' ? 'deposit.credited' : 'withdrawal.debited'
    events.push({ event: settled, actor_kind: 'system', after: 3 * hour + 2_000, note: null })
    if (story.type === 'withdrawal')
      events.push({ event: 'withdrawal.paid-out', actor_kind: 'staff', after: 5 * hour, note: 'SWIFT 4711-0042' })
  }
  if (story.state === 'rejected') {
    events.push({ event: `${story.type}.rejected`, actor_kind: 'staff', after: 5 * hour, note: story.note ?? null })
  }
  const rows = events.map(({ after, ...event }) => {
    const staff_id = event.actor_kind === 'staff' ? story.staffId : null
    return { ...key, ...event, staff_id, event_id: newId(), at: new Date(story.at.getTime() + after) }
  })
  await tx.insertInto('transaction_events').values(rows).execute()
}

async function attachReceipt(tx: Tx, key: Key, receipt: Receipt, created_at: Date): Promise<void> {
  const { transaction_id, ...owner } = key
  const { media_id, storage_key, content, isPicture } = receipt
  const file = isPicture
    ? { kind: 'image', name: 'transfer.png', extension: 'png', content_type: 'image/png' }
    : { kind: 'file', name: 'transfer-receipt.pdf', extension: 'pdf', content_type: 'application/pdf' }
  await tx
    .insertInto('media')
    .values({
      ...owner,
      media_id,
      storage_key,
      purpose: 'receipt',
      ...file,
      size_bytes: content.length,
      sha256: createHash('sha256').update(content).digest(),
      created_at,
    })
    .execute()
  await tx
    .insertInto('transaction_attachments')
    .values({ ...owner, transaction_id, media_id, created_at })
    .execute()
}
