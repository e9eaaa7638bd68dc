import { addAmounts, isSame } from '@atrium/contract/money/money.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff, type System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { GatewayError, type TradingGateway } from '../trading-platforms/contract.ts'
import { readEachPlatform } from '../trading-platforms/each-platform.ts'
import { INTENT_TAG_CHARS, isIntentTag } from '../trading-platforms/intent-tag.ts'
import { findLink } from '../trading-platforms/platform-link.ts'
import { isAway } from '../trading-platforms/refusals.ts'
import { isSomebodyElses } from './crediting/intent-account.ts'
import { checkInternalLedger, checkOwnRound, type Finding } from './internal-ledger.ts'

/** How far back platforms are compared: older differences were found when they were recent. */
const lookBackMs = 3 * 86_400_000
/** Rows younger than this may still be in progress. */
const settleMs = 60_000
const clockSkewSeconds = 600

/** The violations, and the accounts whose platform could not be read. */
type Comparison = { found: Finding[]; unread: Place[] }

export async function findViolations(system: System): Promise<Finding[]> {
  return (await compareLedger(system)).found
}

/**
 * Checks all transactions ever: each approved row has its own platform ticket, the moved amounts of our rows equal the
 * sums of the platform's tagged operations, and no reserved amount is negative. Returns the violations.
 */
export async function compareLedger(system: System): Promise<Comparison> {
  const own = await checkInternalLedger(system)
  const { found, unread } = await checkPlatforms(system)
  return { found: [...own, ...found], unread }
}

type Place = { platform_id: string; platform_login: string }

/** Accounts per turn of a brokerage; the platform's clock is read once for them. */
const accountsPerTurn = 20

/** Compares each account with recent operations of ours with its platform's history. */
async function checkPlatforms(system: System): Promise<Comparison> {
  const since = new Date(system.context.clock.now().getTime() - lookBackMs)
  const places = await reading(system, (tx) => readPlaces(tx, system, since))
  const [found, unread]: [Finding[], Place[]] = [[], []]
  const unreached = await readEachPlatform(system, {
    items: Map.groupBy(places, ({ platform_id }) => platform_id),
    itemsPerPart: accountsPerTurn,
    readPart: async (platformId, some) => {
      const part = await checkSome(system, platformId, { some, since })
      found.push(...part.found)
      unread.push(...part.unread)
      return part.isAnswering
    },
  })
  return { found, unread: [...unread, ...unreached] }
}

function readPlaces(tx: Tx, system: System, since: Date): Promise<Place[]> {
  return tx
    .selectFrom('platform_intents')
    .select(['platform_id', 'platform_login'])
    .distinct()
    .where('workspace_id', '=', system.workspaceId)
    .where((where) =>
      where.or([
        where('created_at', '>=', since),
        where.and([where('state', '=', 'done'), where('done_at', '>=', since)]),
      ]),
    )
    .execute()
}

type Part = Comparison & { isAnswering: boolean }

/** After the first call without an answer the platform is not asked again in this round. */
async function checkSome(
  system: System,
  platformId: string,
  { some, since }: { some: readonly Place[]; since: Date },
): Promise<Part> {
  const link = await findLink(system, platformId)
  if ('problem' in link) return { found: [], unread: [...some], isAnswering: false }
  const { gateway } = link
  const [found, unread]: [Finding[], Place[]] = [[], []]
  const span = await orUnread(() => spanOf(gateway, since))
  if (!span.isRead) return { found, unread: [...some], isAnswering: !span.isAway }
  for (const [at, place] of some.entries()) {
    const deals = await orUnread(() => readTagged(gateway, place, span.value))
    if (deals.isRead) {
      const differences = await checkAccount(system, place, { since, deals: deals.value })
      const isMissing = differences.some(({ kind }) => kind === 'missing-on-platform')
      const other = isMissing ? await orUnread(() => isSomebodyElses(system, place, gateway)) : noOther
      if (other.isRead && !other.value) found.push(...differences.map((each) => ({ ...each, ...place })))
      else if (!other.isRead && !other.isGone) unread.push(place)
    } else if (deals.isAway) return { found, unread: [...unread, ...some.slice(at)], isAnswering: false }
    else if (!deals.isGone) unread.push(place)
  }
  return { found, unread, isAnswering: true }
}

/** An account that somebody else got has none of our operations, like a deleted one. */
const noOther: Read<boolean> = { isRead: true, value: false }

type Read<Value> = { isRead: true; value: Value } | { isRead: false; isAway: boolean; isGone: boolean }

/**
 * What the platform does not say is neither a finding nor the end of one. An account that it has deleted is `isGone` and
 * does not hold the check up.
 */
async function orUnread<Value>(read: () => Promise<Value>): Promise<Read<Value>> {
  try {
    return { isRead: true, value: await read() }
  } catch (problem) {
    if (!(problem instanceof GatewayError)) throw problem
    return { isRead: false, isAway: isAway(problem), isGone: problem.reason === 'not_found' }
  }
}

type Tagged = { tag: string; ticket: string; amount: string }

type Deals = { since: Date; deals: readonly Tagged[] }

async function checkAccount(system: System, place: Place, { since, deals }: Deals): Promise<Finding[]> {
  const intents = await reading(system, (tx) => readIntents(tx, system, place))
  const known = new Map(intents.map((intent) => [intent.tag, intent]))
  const settledBefore = new Date(system.context.clock.now().getTime() - settleMs)
  const found: Finding[] = []
  for (const [tag, same] of Map.groupBy(deals, (deal) => deal.tag)) {
    const intent = known.get(tag)
    const sum = same.reduce((total, { amount }) => addAmounts(total, amount), '0')
    const detail = `${place.platform_login}: ${same.map(({ ticket, amount }) => `${ticket} ${amount}`).join(', ')}`
    if (!intent) found.push({ kind: 'unknown-on-platform', subject: tag, detail })
    else if (same.length > 1) found.push({ kind: 'twice-on-platform', subject: tag, detail })
    else if (intent.state === 'rejected') found.push({ kind: 'refused-on-platform', subject: tag, detail })
    else if (!isSame(sum, intent.amount)) found.push({ kind: 'other-amount-on-platform', subject: tag, detail })
  }
  const tags = new Set(deals.map(({ tag }) => tag))
  for (const intent of intents) {
    const { state, done_at: doneAt, first_sent_at: sentAt } = intent
    const isSettled = state === 'done' && doneAt !== null && doneAt < settledBefore
    if (isSettled && sentAt !== null && sentAt >= since && !tags.has(intent.tag))
      found.push({
        kind: 'missing-on-platform',
        subject: intent.tag,
        detail: `${place.platform_login}: ${intent.amount}`,
      })
  }
  return found
}

function readIntents(tx: Tx, system: System, place: Place) {
  return tx
    .selectFrom('platform_intents')
    .select(['tag', 'amount', 'state', 'done_at', 'first_sent_at'])
    .where('workspace_id', '=', system.workspaceId)
    .where('platform_id', '=', place.platform_id)
    .where('platform_login', '=', place.platform_login)
    .execute()
}

type Times = { from: number; to: number }

/** By the platform's clock, which may differ from ours. */
async function spanOf(gateway: TradingGateway, since: Date): Promise<Times> {
  const { platformNow, utcOffsetSeconds } = await gateway.serverClock()
  const now = platformNow - utcOffsetSeconds
  const from = Math.max(0, Math.min(Math.floor(since.getTime() / 1000), now) - clockSkewSeconds)
  return { from, to: now + 86_400 }
}

async function readTagged(gateway: TradingGateway, { platform_login }: Place, { from, to }: Times): Promise<Tagged[]> {
  const tagged: Tagged[] = []
  for await (const deal of gateway.listDeals(platform_login, from, to)) {
    const tag = deal.comment.slice(0, INTENT_TAG_CHARS).toUpperCase()
    if (deal.cmd === 'OP_BALANCE' && isIntentTag(tag)) tagged.push({ tag, ticket: deal.id, amount: deal.profit })
  }
  return tagged
}

/** Transactions per round. Ten million take half a day; a smaller workspace is checked whole in each round. */
const walkMax = 200_000

/**
 * The check as a job: stores the findings for the desk, and writes new ones to the log and the audit trail. The ledger
 * counts as checked when every account could be read.
 */
export async function checkLedger(system: System, { rowsMax = walkMax } = {}): Promise<Finding[]> {
  const after = await reading(system, (tx) => readWalkedTo(tx, system))
  const own = await checkOwnRound(system, { after, rowsMax })
  const onPlatforms = await checkPlatforms(system)
  const { unread } = onPlatforms
  if (unread.length > 0) logUnread(system, unread)
  const found = [...own.found, ...onPlatforms.found]
  await inTransaction(system, async (tx) => {
    const now = system.context.clock.now()
    const place = { workspace_id: system.workspaceId }
    for (const finding of found) {
      const stored = await tx
        .insertInto('ledger_findings')
        .values({ ...place, ...finding, found_at: now, seen_at: now })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'kind', 'subject']).doUpdateSet({ ...finding, seen_at: now }),
        )
        .returning(sql<boolean>`found_at = seen_at`.as('is_new'))
        .executeTakeFirstOrThrow()
      if (stored.is_new) await reportFinding(tx, system, finding)
    }
    await deleteVanishedFindings(tx, system, { seenBefore: now, unread })
    const walked_to = own.walkedTo
    await tx.updateTable('ledger_checks').set({ walked_to }).where('workspace_id', '=', system.workspaceId).execute()
    if (unread.length > 0) return
    await tx
      .insertInto('ledger_checks')
      .values({ ...place, checked_at: now, walked_to })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ checked_at: now }))
      .execute()
  })
  return found
}

/** Otherwise nothing says which platform keeps the ledger from counting as checked. */
function logUnread({ context: { log } }: System, unread: readonly Place[]): void {
  const platforms = [...new Set(unread.map(({ platform_id }) => platform_id))]
  log.warn({ platforms, accounts: unread.length }, 'the ledger was not compared with a platform')
}

async function readWalkedTo(tx: Tx, system: System): Promise<string | null> {
  const check = await tx
    .selectFrom('ledger_checks')
    .select('walked_to')
    .where('workspace_id', '=', system.workspaceId)
    .executeTakeFirst()
  return check?.walked_to ?? null
}

/** Deletes findings that were not seen again, except on accounts that could not be read. */
async function deleteVanishedFindings(
  tx: Tx,
  system: System,
  { seenBefore, unread }: { seenBefore: Date; unread: readonly Place[] },
) {
  const ids = unread.map(({ platform_id }) => platform_id)
  const logins = unread.map(({ platform_login }) => platform_login)
  await sql`delete from ledger_findings as finding
    where finding.workspace_id = ${system.workspaceId} and finding.seen_at < ${seenBefore}
      and not exists (select from unnest(${ids}::uuid[], ${logins}::text[]) as unread (platform_id, platform_login)
        where unread.platform_id = finding.platform_id and unread.platform_login = finding.platform_login)`.execute(tx)
}

async function reportFinding(tx: Tx, system: System, finding: Finding): Promise<void> {
  system.context.log.error({ ...finding }, 'ledger violation found')
  const subject = { kind: 'workspace', id: system.workspaceId }
  await audit(tx, system, { action: 'ledger.violated', subject, after: { ...finding } })
}

export async function readFindings(staff: Staff) {
  authorizeStaff(staff, 'money.read')
  return reading(staff, async (tx) => {
    const check = await tx
      .selectFrom('ledger_checks')
      .select('checked_at')
      .where('workspace_id', '=', staff.workspaceId)
      .executeTakeFirst()
    const rows = await tx
      .selectFrom('ledger_findings')
      .select(['kind', 'subject', 'detail', 'found_at'])
      .where('workspace_id', '=', staff.workspaceId)
      .orderBy('found_at')
      .limit(200)
      .execute()
    const findings = rows.map(({ found_at, ...row }) => ({ ...row, since: found_at.getTime() }))
    return { checked_at: check?.checked_at.getTime() ?? null, findings }
  })
}
