import { setTimeout as pause } from 'node:timers/promises'
import { isReused } from '../accounts/differences.ts'
import { type Member, type System, systemActor } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { waitAtMost } from '../foundation/wait-at-most.ts'
import { describeProblem } from '../observability/log.ts'
import type { Deal, TradingGateway, Utc } from '../trading-platforms/contract.ts'
import { dealsAtOnce, keepDeals, removeGone, type Window } from './deals.ts'
import {
  askForReading,
  claimReaderSlot,
  enqueueReading,
  isDue,
  keepProgress,
  type Reader,
  readHistory,
  releaseReaderSlot,
  renewEveryMs,
  renewReaderSlot,
  type Traded,
} from './history.ts'
import { waitMsMax } from './positions.ts'

const daySeconds = 86_400
/** Before either platform existed. */
const beginning: Utc = Date.UTC(2000, 0, 1) / 1000
/** Read again each time, for late rows and a dealer's corrections within these days. */
const overlapSeconds = 3 * daySeconds
/** A platform's clock may be ahead of ours. */
const aheadSeconds = 3_600
/** At most one window's rows are held; the next window's width depends on the number in the last one. */
const fewRows = 1_000
const manyRows = 5_000
const step = { min: 3_600, max: 10 * 365 * daySeconds }
/** The longest run of a job, which then enqueues itself again behind others. */
const sliceMs = 20_000
const fullPauseMs = 2_000

/**
 * Updates the stored history of an account from its platform: the newest days first, then window by window into the
 * past until nothing is older. Idempotent.
 */
export async function readTrades(system: System, accountId: string, { forMs = sliceMs } = {}): Promise<void> {
  const reader = await claimReaderSlot(system, accountId)
  if (reader === 'taken') return
  if (reader === 'full') {
    const startAfter = new Date(Date.now() + fullPauseMs)
    return inTransaction(system, (tx) => enqueueReading(tx, system, accountId, startAfter))
  }
  const heartbeat = setInterval(() => {
    renewReaderSlot(system, reader).catch((problem) => warn(system, reader, problem))
  }, renewEveryMs)
  let failed = false
  try {
    await readOn(system, reader, performance.now() + forMs)
  } catch (problem) {
    // A platform failure does not fail the job: the history stays, and the next view tries again.
    failed = true
    warn(system, reader, problem)
  } finally {
    clearInterval(heartbeat)
    await releaseReaderSlot(system, reader, { failed, goesOn: !failed && !reader.isComplete })
  }
}

/** How long the first read lasts while a member waits; a job does the rest. */
const firstSliceMs = 2_000
/** How often to check whether the job has read something. */
const stepMs = 100

/**
 * A view triggers a read of new deals. The first view of an account's trades waits for the newest ones instead of
 * showing an empty list.
 */
export async function readBeforeListing(member: Member, of: Traded): Promise<void> {
  const history = await reading(member, (tx) => readHistory(tx, member, of.account_id))
  if (!isDue(history, member.context.clock.now())) return
  await askForReading(member, of)
  if (history !== undefined) return
  await waitAtMost(waitMsMax, readFirst(member, of))
}

/** Read here or by the job, whichever gets the reader slot first. */
async function readFirst(member: Member, of: Traded): Promise<void> {
  const until = performance.now() + waitMsMax
  await readTrades(systemActor(member.context, member.workspaceId), of.account_id, { forMs: firstSliceMs })
  for (;;) {
    const history = await reading(member, (tx) => readHistory(tx, member, of.account_id))
    const isOver = !history || history.read_at !== null || history.failing_since !== null
    if (isOver || performance.now() > until) return
    await pause(stepMs)
  }
}

function warn(system: System, { account_id, platform_id }: Reader, problem: unknown): void {
  const about = { err: describeProblem(problem), account: account_id, platform: platform_id }
  system.context.log.warn(about, 'trades not read')
}

async function readOn(system: System, reader: Reader, until: number): Promise<void> {
  const link = await system.context.platforms.link(system, reader.platform_id)
  if (!link) throw new Error('The platform has no connection')
  const work = { system, reader, gateway: link.gateway }
  await requireOwnAccount(work)
  await readNewest(work)
  while (!reader.isComplete && performance.now() < until) await readOlder(work)
}

type Work = { system: System; reader: Reader; gateway: TradingGateway }

/**
 * Deals of somebody else whose account got the number would be shown as the member's, and replace theirs of these days;
 * those made in another currency, which the platform does not name, would be shown in ours.
 */
async function requireOwnAccount({ reader, gateway }: Work): Promise<void> {
  const at = await gateway.readAccount(reader.login)
  if (isReused(reader, at)) throw new Error('The number is somebody else’s account')
  if (at.currency !== reader.currency) throw new Error('The platform keeps the account in another currency')
}

async function readNewest(work: Work): Promise<void> {
  const { reader, system } = work
  const now = Math.floor(system.context.clock.now().getTime() / 1000)
  if (reader.readFrom === null || reader.readTo === null) {
    const from = now - reader.stepSeconds
    const window = { from, to: now + aheadSeconds }
    return readWindow(work, window, () => ({ readFrom: from, readTo: now }))
  }
  // After a long absence the way to the present is read in windows too.
  while (reader.readTo < now) {
    const readTo: Utc = Math.min(now, reader.readTo + reader.stepSeconds)
    const from = Math.max(reader.readFrom, reader.readTo - overlapSeconds)
    await readWindow(work, { from, to: readTo === now ? now + aheadSeconds : readTo }, () => ({ readTo }))
  }
}

async function readOlder(work: Work): Promise<void> {
  const { reader } = work
  if (reader.readFrom === null) throw new Error('The newest window comes first')
  const from = Math.max(beginning, reader.readFrom - reader.stepSeconds)
  await readWindow(work, { from, to: reader.readFrom }, (rows) => ({
    readFrom: from,
    isComplete: from === beginning,
    stepSeconds: nextStep(reader.stepSeconds, rows),
  }))
}

function nextStep(seconds: number, rows: number): number {
  const factor = rows === 0 ? 4 : rows < fewRows ? 2 : rows > manyRows ? 0.5 : 1
  return Math.round(Math.min(Math.max(seconds * factor, step.min), step.max))
}

type Progress = Partial<Pick<Reader, 'readFrom' | 'readTo' | 'isComplete' | 'stepSeconds'>>

/** Stores a window in batches; the history's range grows only after the whole window. */
async function readWindow(work: Work, window: Window, progress: (rows: number) => Progress): Promise<void> {
  const { system, reader, gateway } = work
  const seen: string[] = []
  let batch: Deal[] = []
  const keep = async (): Promise<void> => {
    const deals = batch
    batch = []
    if (deals.length > 0) await inTransaction(system, (tx) => keepDeals(tx, system, reader, deals))
  }
  for await (const deal of gateway.listDeals(reader.login, window.from, window.to)) {
    batch.push(deal)
    seen.push(deal.id)
    if (batch.length >= dealsAtOnce) await keep()
  }
  await keep()
  Object.assign(reader, progress(seen.length))
  await inTransaction(system, async (tx) => {
    if (!(await keepProgress(tx, system, reader))) throw new Error('Another reader took over')
    await removeGone(tx, system, reader, { ...window, seen })
  })
}
