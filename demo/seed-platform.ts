import { addAmounts, subtractAmounts } from '@atrium/contract/money/money.ts'
import type { AccountSeed, LedgerSeed } from '../simulators/metatrader/seeds.ts'
import { type DemoAccount, people } from './harbour-markets.ts'
import type { DemoTransaction } from './harbour-money.ts'
import { type History, nameOfOwner } from './history.ts'
import type { Simulators } from './simulators.ts'
import { demoPositions, demoTrades } from './trades.ts'

const dayMs = 86_400_000

/** The time of a demo transaction, relative to the brokerage's first day in this installation. */
export function momentOf(daysAgo: number, now: number): number {
  return Math.round(now - daysAgo * dayMs)
}

/** The simulated platform of an account. */
export function platformOf({ mt4, mt5 }: Simulators, { platform }: DemoAccount): Simulators['mt4'] | Simulators['mt5'] {
  return platform === 'mt4' ? mt4 : mt5
}

/**
 * Creates the demo accounts on the simulated platforms, with a ledger that matches the portal's history. Existing
 * accounts are left unchanged, so every start can call this.
 */
export async function seedPlatforms(simulators: Simulators, history: History, now: number): Promise<void> {
  const seeds = history.accounts.map((account, index) => ({ account, seed: seedOf(account, { index, history, now }) }))
  for (const platform of ['mt5', 'mt4'] as const) {
    const ofPlatform = seeds.filter(({ account }) => account.platform === platform)
    await simulators[platform].seedAccounts(ofPlatform.map(({ seed }) => seed))
  }
  await simulators.mt5.seedAccounts([unknownAtPlatform])
}

type Placed = { index: number; history: History; now: number }

function seedOf(account: DemoAccount, { index, history, now }: Placed): AccountSeed {
  const isMain = account.login === '700123'
  const isOther = !Object.hasOwn(people, account.owner)
  const count = isMain ? 60 : isOther ? 3 : history.isLong ? 24 : 12
  const hasPositions = !isOther && (account.live || account.platform === 'mt4')
  return {
    login: account.login,
    group: account.group,
    name: nameOfOwner(account),
    leverage: account.leverage,
    balance: openingBalance(account, history),
    registeredAtMs: now - 240 * dayMs,
    ledger: ledgerOf(account, { history, now }),
    trades: demoTrades(now, { count, seed: 7 + index, currency: account.currency }),
    positions: hasPositions ? demoPositions(now, index) : [],
  }
}

/** The balance before the history begins: the account's balance minus everything approved later. */
const openingBalance = (account: DemoAccount, history: History): string =>
  approvedOf(history, account).reduce(
    (left, { type, amount }) => (type === 'deposit' ? subtractAmounts(left, amount) : addAmounts(left, amount)),
    account.balance,
  )

const approvedOf = ({ transactions }: History, { login }: DemoAccount): DemoTransaction[] =>
  transactions.filter((each) => each.login === login && each.state === 'approved')

/** The approved transactions, and a dealer's manual entries, which the desk's reconciliation reports. */
function ledgerOf(account: DemoAccount, { history, now }: Omit<Placed, 'index'>): LedgerSeed[] {
  const booked = approvedOf(history, account).map(
    ({ type, amount, daysAgo }): LedgerSeed => ({
      amount: type === 'deposit' ? amount : `-${amount}`,
      atMs: momentOf(daysAgo, now),
      comment: bookedAs[type],
    }),
  )
  const goodwill = { amount: '25.00', atMs: momentOf(goodwillDaysAgo, now) + 60_000, comment: 'Goodwill' }
  return account.login === '700124' ? [...booked, goodwill] : booked
}

/** A day on which the history has a transaction of that account. */
const goodwillDaysAgo = 33

const bookedAs = { deposit: 'Deposit', withdrawal: 'Withdrawal' }

/** An account that a dealer opened on the platform for a person who is not a member: an account discrepancy. */
const unknownAtPlatform = {
  login: '700088',
  group: 'real\\standard-usd',
  name: 'Elena Rossi',
  email: 'elena.rossi@letters.example',
  leverage: 100,
  balance: '1500.00',
}

/** The platform's tickets of the approved transactions, in booking order. */
export async function readTickets({ mt4, mt5 }: Simulators, history: History): Promise<Map<DemoTransaction, string>> {
  const ofAccount = async (account: DemoAccount): Promise<[DemoTransaction, string][]> => {
    const { platform, login } = account
    const booked =
      platform === 'mt4'
        ? (await mt4.ledger(login)).map(({ order, comment }) => ({ ticket: order, comment }))
        : (await mt5.ledger(login)).map(({ deal, comment }) => ({ ticket: deal, comment }))
    const ours = booked.filter(({ comment }) => Object.values(bookedAs).includes(comment))
    return approvedOf(history, account).map((transaction, place) => [transaction, ours[place]?.ticket ?? ''])
  }
  return new Map((await Promise.all(history.accounts.map(ofAccount))).flat())
}
