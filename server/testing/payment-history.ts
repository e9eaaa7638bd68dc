import { currencyDecimals } from '@atrium/contract/currencies.ts'
import type { FaultKind } from '../../simulators/metatrader/faults.ts'
import { reading } from '../foundation/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { cancelTransaction } from '../funding/cancellation.ts'
import { settleIntent } from '../funding/crediting.ts'
import { approveDeposit, rejectDeposit } from '../funding/decision.ts'
import { takeStep } from '../funding/intent.ts'
import { findLink } from '../funding/platform-link.ts'
import type { ProviderUnderTest, SimulatorUnderTest, Twist } from '../payment-providers/contract-tests.ts'
import { readNotification } from '../payment-providers/notification.ts'
import { openStates } from '../payment-providers/order.ts'
import { askAboutDueOrders, askProvider } from '../payment-providers/reconciliation.ts'
import { addAccount } from './harbour-platforms.ts'
import { listUnread, type PaymentFloor, readOrder, startOrder } from './payment-floor.ts'
import type { Happening, Twisting, Word } from './payment-happenings.ts'
import { makePendingDeposit } from './trading-floor.ts'

/** What the test knows of an order beside what the server says. */
export type Followed = {
  order: string
  attempt: string
  amount: string
  /** The provider said "paid" as agreed, in whatever way; or staff took it upon themselves. Without it nothing is credited. */
  isJustified: boolean
  /** That word was delivered, plain. It must lead to a credit or to a person. */
  wasToldPaid: boolean
}
type Held = () => Promise<unknown>

export type History = Awaited<ReturnType<typeof openHistory>>
let logins = 910_000

/** Orders of an account of its own, and the hands that let things happen to them. */
export async function openHistory(
  floor: PaymentFloor,
  under: ProviderUnderTest & { simulator: SimulatorUnderTest },
  amounts: string[],
  withManual: boolean,
) {
  const { system, member, staff, ground } = floor
  const { simulator } = under
  const { control } = floor.simulator
  logins += 1
  const login = String(logins)
  const currency = under.currency ?? 'USD'
  const isWhole = currencyDecimals(currency) === 0
  const group = `real\\standard-${currency.toLowerCase()}`
  control.addGroup({ name: group, currency, currencyDigits: currencyDecimals(currency) })
  control.seedAccounts([{ login, group, name: 'Hilda History', leverage: 100, balance: '1000.00' }])
  const { memberId } = member
  const accountId = await addAccount(system, {
    memberId,
    platformId: floor.platformId,
    platform_login: login,
    currency,
  })
  const followed: Followed[] = []
  for (const drawn of amounts) {
    const amount = isWhole ? withoutDecimals(drawn) : drawn
    const given = { ...under.form, payment_method: under.uid, amount, trading_account: accountId }
    const { order, attempt } = await startOrder(floor, given)
    followed.push({ order, attempt, amount, isJustified: false, wasToldPaid: false })
  }
  // The brokerage has no bank account in other currencies, so nobody transfers any.
  const manual = withManual && !under.currency ? await makePendingDeposit({ ...floor, accountId }, '33.33') : null
  const held: Held[] = []

  async function act(happening: Happening): Promise<void> {
    switch (happening.does) {
      case 'say':
        return say(happening)
      case 'deliver':
        await held.splice(happening.which % Math.max(1, held.length), 1)[0]?.()
        return
      case 'read':
        return read(happening.workers)
      case 'cancel':
        await refusedOrDone([cancelTransaction(member, await movementOf(pick(happening.order)))])
        return
      case 'approve':
      case 'reject':
        return decide(happening)
      case 'wait':
        ground.clock.advance(happening.minutes * 60_000)
        return
      case 'ask':
        simulator.breakDown(happening.fault)
        await askAboutDueOrders(system)
        await askProvider(system, pick(happening.order).order)
        simulator.mend()
        return
      case 'platform':
        return trouble(happening)
      case 'settle':
        return settle(happening.workers)
      default:
        return die(happening.does === 'die called')
    }
  }

  const pick = (at: number): Followed => followed[at % followed.length] as Followed
  const movementOf = async (one: Followed) => (await readOrder(floor, one.order)).transaction_id

  async function say({ order: at, word, twist, times, way }: Extract<Happening, { does: 'say' }>): Promise<void> {
    const one = pick(at)
    const { state, also } = wordOf(under, word)
    // What went back was paid before; only the message says so.
    if (word !== 'returned') simulator.set(one.attempt, state)
    const isGenuine = twist !== 'forged' && twist !== 'merchant'
    if (word === 'paid') one.isJustified = true
    if (way === 'lost') return
    const other = followed[(at + 1) % followed.length] as Followed
    const changed = changeOf(under, twist, one, other)
    const send = async (): Promise<void> => {
      for (let time = 0; time < times; time++)
        await simulator.notify(one.attempt, { status: state, ...also, ...changed })
      if (word !== 'paid' || !isGenuine) return
      if (twist === 'attempt' && other.amount === one.amount) other.isJustified = true
      // Where a message is a hint it tells nothing: only what the provider answers when it is asked counts.
      if (twist === 'none' && !under.isAsked) one.wasToldPaid = true
    }
    if (way === 'held') held.push(send)
    else await send()
  }

  /** Several workers take the same jobs, as after a lease that ran out. */
  async function read(workers: number): Promise<void> {
    const ids = await listUnread(floor)
    await atOnce(workers, () => eachOf(ids, (id) => readNotification(system, id)))
  }

  async function decide({ does, order: at, people }: { does: 'approve' | 'reject'; order: number; people: number }) {
    const isManual = manual !== null && at >= followed.length
    const one = pick(at)
    const id = isManual ? manual : await movementOf(one)
    const deciding = Array.from({ length: people }, () =>
      does === 'approve' ? approveDeposit(staff, id) : rejectDeposit(staff, id, { reason: 'payment_not_received' }),
    )
    const wasDone = await refusedOrDone(deciding)
    if (wasDone && does === 'approve' && !isManual) one.isJustified = true
  }

  async function trouble({ fault, times }: { fault: string; times: number }): Promise<void> {
    control.clearFaults()
    if (fault === 'down') return void (await control.down())
    await control.up()
    if (fault === 'up') return
    const path = times === 3 ? '/api/deal/*' : '/api/trade/balance'
    const code = fault === 'answer-code' ? 10_006 : 0
    control.addFault({ path, times, kind: fault as FaultKind, code, ms: 250 })
  }

  async function settle(workers: number): Promise<void> {
    const ids = await openIntents()
    await atOnce(workers, () => eachOf(ids, (id) => settleIntent(system, id)))
    ground.clock.advance(5_000)
  }

  /** A worker that ended with the lease taken: before its call, or with the call done and the answer in nobody's hands. */
  async function die(afterCall: boolean): Promise<void> {
    const [id] = await openIntents()
    const link = await findLink(system, floor.platformId)
    if (!id || 'problem' in link) return
    const step = await takeStep(system, id, link.timing)
    if (step.do !== 'send' || step.intent.attempt > 1 || !afterCall) return
    const { tag, amount, currency, note } = step.intent
    const change = { tag, amount, currency, note, login, kind: 'balance' as const, refuseIfMarginTooLow: false }
    await link.gateway.changeBalance(change).catch(() => undefined)
  }

  async function movements() {
    const rows = await reading(system, (tx) =>
      tx
        .selectFrom('balance_transactions')
        .selectAll()
        .where('workspace_id', '=', system.workspaceId)
        .where('account_id', '=', accountId)
        .execute(),
    )
    return rows
  }

  async function openIntents(): Promise<string[]> {
    const ids = (await movements()).map(({ transaction_id }) => transaction_id)
    const rows = await reading(system, (tx) =>
      tx
        .selectFrom('platform_intents')
        .select('intent_id')
        .where('workspace_id', '=', system.workspaceId)
        .where('transaction_id', 'in', ids)
        .where('state', 'in', ['ready', 'sending', 'unknown'])
        .orderBy('intent_id')
        .execute(),
    )
    return rows.map(({ intent_id }) => intent_id)
  }

  /** The queue and the sweeps, with everybody well again, for as long as anything moves. */
  async function settleAll(): Promise<void> {
    for (let visit = 0; visit < 80; visit++) {
      const ids = await openIntents()
      if (ids.length === 0) return
      for (const id of ids) await settleIntent(system, id)
      ground.clock.advance(40_000)
    }
  }

  /** The reconciliation run: everybody is well, what was held back comes late, and the clock passes every end there is. */
  async function reconcile(): Promise<void> {
    await trouble({ fault: 'up', times: 1 })
    simulator.mend()
    for (const minutes of [6, 62, 25 * 60, 99 * 24 * 60]) {
      ground.clock.advance(minutes * 60_000)
      await read(1)
      await askAboutDueOrders(system)
      for (const { order } of followed) await askProvider(system, order)
    }
    for (const send of held.splice(0)) await send()
    await read(2)
    await settleAll()
  }

  return { act, reconcile, settleAll, movements, followed, login, accountId, manual, currency }
}

const lockTimeout = '55P03'

/** Workers that wait for each other longer than the database lets them are sent again by the queue; other faults count. */
async function atOnce(workers: number, work: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: workers }, work))
  for (const one of ended)
    if (one.status === 'rejected' && (one.reason as { code?: string }).code !== lockTimeout) throw one.reason
}

async function eachOf(ids: string[], work: (id: string) => Promise<void>): Promise<void> {
  for (const id of ids) await work(id)
}

/** True when at least one went through. What is refused is an answer; anything else is a fault, and fails the history. */
async function refusedOrDone(doing: Promise<unknown>[]): Promise<boolean> {
  const ended = await Promise.allSettled(doing)
  for (const one of ended) if (one.status === 'rejected' && !(one.reason instanceof Refusal)) throw one.reason
  return ended.some(({ status }) => status === 'fulfilled')
}

function wordOf({ words, returned }: ProviderUnderTest, word: Word): { state: string; also: Twist } {
  if (word === 'returned') return { state: returned?.status ?? words.declined, also: returned ?? {} }
  return { state: words[word], also: {} }
}

function changeOf({ otherMerchant }: ProviderUnderTest, twist: Twisting, one: Followed, other: Followed): Twist {
  const changes: Record<Twisting, Twist> = {
    none: {},
    less: { amount: minorUnit(one.amount, -1) },
    more: { amount: minorUnit(one.amount, 1) },
    currency: { currency: 'EUR' },
    forged: { secretKey: 'not-the-secret-1' },
    merchant: otherMerchant ?? { secretKey: 'not-the-secret-2' },
    reference: { reference: String(7_000_000 + (Number.parseInt(one.attempt.slice(-4), 16) || 1)) },
    attempt: { attempt: other.attempt },
  }
  return changes[twist]
}

const withoutDecimals = (amount: string): string => amount.split('.')[0] ?? amount

function minorUnit(amount: string, by: number): string {
  if (!amount.includes('.')) return String(Number(amount) + by)
  const cents = String(Number(amount.replace('.', '')) + by).padStart(3, '0')
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`
}

export const isOpenOrder = (state: string): boolean => (openStates as readonly string[]).includes(state)
