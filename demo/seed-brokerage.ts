import { type System, systemActor } from '../server/foundation/actor.ts'
import type { Context } from '../server/foundation/context.ts'
import { inTransaction, reading, type Tx } from '../server/foundation/database/database.ts'
import { listWorkspaces } from '../server/foundation/database/every-workspace.ts'
import { newId } from '../server/foundation/ids.ts'
import { askForDays } from '../server/reconciliation/requests.ts'
import { hashPassword } from '../server/sessions/passwords/password.ts'
import { brokerage, colleagues, demoPassword, people, signIns } from './harbour-markets.ts'
import { transactions } from './harbour-money.ts'
import { type History, joinedDaysAgo, longHistory, otherOwner, othersIn, shortHistory } from './history.ts'
import { moreMembers } from './more-members.ts'
import { addAccountMetrics, bridgeAccountMetrics } from './seed-account-metrics.ts'
import { addBanking, writeWalletPicture } from './seed-banking.ts'
import { addReferredClients } from './seed-clients.ts'
import { addPlatforms, pointAtSimulators } from './seed-connections.ts'
import { addDocuments, writeDocumentFiles } from './seed-documents.ts'
import { addDownloads } from './seed-downloads.ts'
import { addDeadLetterMails } from './seed-mails.ts'
import { addNotifications } from './seed-notifications.ts'
import { addOpenings } from './seed-openings.ts'
import { addPaymentException } from './seed-payment-exception.ts'
import { pointAtPayments } from './seed-payments.ts'
import { momentOf, platformOf, readTickets, seedPlatforms } from './seed-platform.ts'
import { addRequests } from './seed-requests.ts'
import { addTerms } from './seed-terms.ts'
import { addTickets } from './seed-tickets.ts'
import { addTransactions, writeReceipts } from './seed-transactions.ts'
import type { Simulators } from './simulators.ts'

type Owner = keyof typeof people
/** The people that sign in by name, and the others by `otherOwner`. */
type Ids = Record<Owner | 'staff', string> & Record<string, string>

/** Creates the demo brokerage in an empty database; otherwise points it at the current simulators and continues its charts. */
export async function seedDemo(context: Context, simulators: Simulators): Promise<'seeded' | 'kept'> {
  const existing = (await listWorkspaces(context))[0]
  if (!existing) {
    await seedBrokerage(context, simulators, { history: longHistory() })
    return 'seeded'
  }
  const known = await reading(existing, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select('platform_login')
      .where('workspace_id', '=', existing.workspaceId)
      .execute(),
  )
  // A brokerage of an earlier version lacks some of these accounts, and the desk would report the others as discrepancies.
  const isKnown = ({ login }: { login: string }) => known.some(({ platform_login }) => platform_login === login)
  const history = longHistory()
  const accounts = history.accounts.filter(isKnown)
  await seedPlatforms(simulators, { ...history, accounts }, context.clock.now().getTime())
  const metrics = await readAccountMetrics(simulators, { ...history, accounts })
  await inTransaction(existing, async (tx) => {
    await pointAtSimulators(tx, existing, simulators)
    await pointAtPayments(tx, existing, simulators)
    await bridgeAccountMetrics(tx, existing, metrics)
  })
  return 'kept'
}

/** The brokerage of a host: the default one, or the one with the subdomain. */
export type Place = { subdomain: string; isDefault: boolean }
type Wanted = { place?: Place; history?: History }

/** Creates a demo brokerage with people, history and its own simulators. A database may hold several. */
export async function seedBrokerage(
  context: Context,
  simulators: Simulators,
  { place = { subdomain: brokerage.subdomain, isDefault: true }, history = shortHistory }: Wanted = {},
): Promise<System> {
  const now = context.clock.now().getTime()
  await seedPlatforms(simulators, history, now)
  const tickets = await readTickets(simulators, history)
  const system = systemActor(context, newId())
  const passwordHash = await hashPassword(demoPassword)
  const receipts = await writeReceipts(system, history)
  const walletPicture = await writeWalletPicture(system)
  const metrics = await readAccountMetrics(simulators, history)
  const files = await writeDocumentFiles(system)
  await inTransaction(system, async (tx) => {
    await addBrokerage(tx, system, place)
    const ids = await addPeople(tx, system, passwordHash)
    const others = othersIn(history).map((owner) => ids[owner] ?? '')
    const accountIds = await addAccounts(tx, system, { ids, simulators, metrics, history })
    await addOpenings(tx, system, { ids, accountIds, history, now })
    await addAccountMetrics(tx, system, { ids, accountIds, metrics, history })
    await addBanking(tx, system, ids, walletPicture)
    await pointAtPayments(tx, system, simulators)
    await addRequests(tx, system, { ...ids, others })
    await addDeadLetterMails(tx, system, ids)
    await addReferredClients(tx, system, { ...ids, others })
    await addDocuments(tx, system, { ...ids, files, now })
    await addTerms(tx, system, { staffId: ids.staff, accepted: acceptedBy(ids, history), now })
    await addTransactions(tx, system, { ids, accountIds, tickets, receipts, history, now })
    await addNotifications(tx, system, ids.member)
    await addTickets(tx, system, { ids, accountIds, history, now })
    await addPaymentException(tx, system, { memberId: ids.second, accountId: accountIds.get('700207') ?? '' })
    await askForDays(tx, system, comparedDays(now))
  })
  return system
}

/** Members accept the terms soon after joining; the newest member has not yet. */
const acceptedBy = (ids: Ids, history: History) =>
  ['member', 'second', 'verifying', 'asia', 'sales', ...othersIn(history)].map((owner) => ({
    memberId: ids[owner] ?? '',
    daysAgo: joinedDaysAgo(owner) - 1,
  }))

/** The days with transactions in the last two months, for the desk's reconciliation. */
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
  const now = system.context.clock.now()
  const created_at = now
  const owners = Object.keys(people) as Owner[]
  const ids = Object.fromEntries([...owners, 'staff'].map((each) => [each, newId()])) as Ids
  for (const owner of owners) {
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
  const others = moreMembers(system.workspaceId, now.getTime())
  for (const [index, { member_id }] of others.entries()) ids[otherOwner(index)] = member_id
  await tx.insertInto('members').values(others).execute()
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

type AccountMetrics = { balance: string; equity: string; floating: string }

/** Each account's metrics on the platform after its trades, so that the portal shows true values from the start. */
async function readAccountMetrics(simulators: Simulators, { accounts }: History): Promise<Map<string, AccountMetrics>> {
  const states = await Promise.all(accounts.map((each) => platformOf(simulators, each).account(each.login)))
  return new Map(
    states.flatMap((state) => {
      if (!state) return []
      const { login, balance, equity, floating } = state
      return [[login, { balance, equity, floating }] as const]
    }),
  )
}

type OnPlatform = { ids: Ids; simulators: Simulators; metrics: Map<string, AccountMetrics>; history: History }

async function addAccounts(
  tx: Tx,
  system: System,
  { ids, simulators, metrics, history }: OnPlatform,
): Promise<Map<string, string>> {
  const created_at = system.context.clock.now()
  const platformIds = await addPlatforms(tx, system)
  await addDownloads(tx, system, platformIds)
  await pointAtSimulators(tx, system, simulators)
  const rows = history.accounts.map((account, index) => ({
    workspace_id: system.workspaceId,
    account_id: newId(),
    member_id: ids[account.owner] ?? '',
    platform_id: platformIds[account.platform],
    platform_login: account.login,
    live_account: account.live,
    type: account.live ? 'Standard' : 'Demo',
    group_name: account.group,
    leverage: account.leverage,
    currency: account.currency,
    country_code: account.country,
    city: account.city,
    ...metrics.get(account.login),
    synced_at: created_at,
    // Lists are sorted newest first, and the most used account is the first.
    created_at: new Date(created_at.getTime() - index * 3_600_000),
  }))
  await tx.insertInto('trading_accounts').values(rows).execute()
  return new Map(rows.map(({ platform_login, account_id }) => [platform_login, account_id]))
}
