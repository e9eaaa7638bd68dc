import { accounts, type DemoAccount, people } from './harbour-markets.ts'
import { type DemoTransaction, transactions } from './harbour-money.ts'
import { isVerified, names } from './more-members.ts'
import { randomFrom } from './trades.ts'

/** The demo's past: a short version for the browser journeys, or enough for every list to page and every chart to have data. */
export type History = { accounts: DemoAccount[]; transactions: DemoTransaction[]; isLong: boolean }

export const shortHistory: History = { accounts, transactions, isLong: false }

const isPerson = (owner: string): owner is keyof typeof people => Object.hasOwn(people, owner)

/** The account's owner: one of the people that sign in, or one of the other members. */
export function nameOfOwner({ owner }: DemoAccount): string {
  const [first, last] = isPerson(owner)
    ? [people[owner].first_name, people[owner].last_name]
    : (names[otherIndex(owner)] ?? ['', ''])
  return `${first} ${last}`
}

/** Owners of accounts who do not sign in. */
export const othersIn = ({ accounts }: History): string[] =>
  accounts.map(({ owner }) => owner).filter((owner) => !isPerson(owner))

/** Matches the dates of `moreMembers` for the other members. */
export const joinedDaysAgo = (owner: string): number =>
  isPerson(owner) ? people[owner].joinedDaysAgo : otherIndex(owner) * 11 + 2

export const otherOwner = (index: number): string => `other-${index}`
const otherIndex = (owner: string): number => Number(owner.split('-').at(-1))

/** Members who joined long enough ago to have a history. */
const traders = names.map((_, index) => index).filter((index) => index >= 3 && isVerified(index))
const daysMax = 232

function otherAccounts(): DemoAccount[] {
  const next = randomFrom(41)
  return traders.map((index, place) => {
    const isEuro = place % 3 === 2
    return {
      owner: otherOwner(index),
      platform: 'mt5',
      login: String(700_401 + place),
      group: isEuro ? 'real\\standard-eur' : 'real\\standard-usd',
      currency: isEuro ? 'EUR' : 'USD',
      live: true,
      leverage: place % 2 === 0 ? 100 : 200,
      balance: `${1_500 + Math.floor(next() * 80) * 50}.00`,
      city: 'Valletta',
      country: 'MT',
    }
  })
}

const depositComments = ['Top-up', 'Monthly saving plan', 'Transfer from my bank', 'Sale of a car', 'Bonus of the year']
const withdrawalComments = ['To my bank account', 'Profit of the month', 'Holiday', 'Tax bill', 'For a new laptop']
const rejections = {
  deposit: ['receipt_unreadable', 'name_differs'],
  withdrawal: ['destination_not_own', 'open_positions'],
} as const

type Course = {
  login: string
  /** Days before today, oldest first. */
  from: number
  to: number
  count: number
  /** The smallest amount; all others are multiples of it. */
  step: number
  /** The providers of the older deposits, in rotation; absent: bank transfers only. */
  providers?: readonly string[]
  next: () => number
}

/** The desk reconciles later days with the providers, and the simulated ones know nothing from before their start. */
const providersUntilDaysAgo = 62

/** Deposits; every third transaction withdraws most of the deposits since the last withdrawal, and one in seven is rejected. */
function courseOf({ login, from, to, count, step, next, providers }: Course): DemoTransaction[] {
  let since = 0
  return Array.from({ length: count }, (_, index) => {
    const type = index % 3 === 2 && since > step ? 'withdrawal' : 'deposit'
    const isRefused = index > 0 && next() < 0.14
    const comments = type === 'deposit' ? depositComments : withdrawalComments
    const daysAgo = from - ((from - to) * (index + next() * 0.8)) / count
    const provider =
      type === 'deposit' && daysAgo > providersUntilDaysAgo ? providers?.[index % providers.length] : null
    const steps = type === 'deposit' ? 1 + Math.floor(next() * 9) : Math.max(1, Math.floor((since / step) * 0.8))
    if (!isRefused) since = type === 'deposit' ? since + steps * step : 0
    return {
      login,
      type,
      amount: String(steps * step),
      state: isRefused ? 'rejected' : 'approved',
      daysAgo,
      comment: comments[Math.floor(next() * comments.length)] ?? '',
      ...(isRefused && { reason: provider ? 'payment_declined' : (rejections[type][index % 2] ?? '') }),
      ...(provider && { provider }),
    }
  })
}

const own: [login: string, from: number, count: number, step: number][] = [
  ['700123', 205, 14, 100],
  ['700124', 140, 8, 50],
  ['400310', 190, 9, 50],
  ['700207', 52, 6, 50],
  ['700311', 120, 9, 800],
  ['700312', 95, 7, 2_000_000],
]

const taking = ['zotapay', 'skrill', 'safecharge', 'neteller']

/** Transactions through providers: deposits are returned to their provider, so that withdrawals to a bank stay possible. */
const byProviders: DemoTransaction[] = [
  ...(['deposit', 'withdrawal'] as const).map(
    (type, index): DemoTransaction => ({
      ...{ login: '700123', type, amount: '300', state: 'approved', daysAgo: 81 - index * 17, provider: 'skrill' },
      comment: type === 'deposit' ? 'Top-up' : 'Back to my wallet',
    }),
  ),
  ...['zotapay', 'safecharge'].map(
    (provider, index): DemoTransaction => ({
      ...{ login: '700124', type: 'deposit', amount: '150', state: 'rejected', daysAgo: 44 + index * 30, provider },
      ...{ comment: 'Top-up', reason: 'payment_declined' },
    }),
  ),
]

/** Additional pending transactions: few enough that new ones appear on the first page. */
const waiting: [place: number, type: DemoTransaction['type'], amount: string, daysAgo: number][] = [
  [2, 'deposit', '400.00', 2.6],
  [5, 'deposit', '1850.00', 2.2],
  [7, 'deposit', '90.00', 1.7],
  [11, 'deposit', '620.00', 0.8],
  [14, 'deposit', '3000.00', 0.5],
  [3, 'withdrawal', '210.00', 2.9],
  [8, 'withdrawal', '560.00', 1.6],
  [12, 'withdrawal', '75.00', 0.7],
]

export function longHistory(): History {
  const next = randomFrom(97)
  const others = otherAccounts()
  const ofOthers = others.flatMap(({ login }, place) => {
    const from = Math.min(joinedDaysAgo(otherOwner(traders[place] ?? 0)) - 1, daysMax)
    return courseOf({
      login,
      from,
      to: 4,
      count: 4 + (place % 4),
      step: 50,
      next,
      providers: [...taking, ...taking.slice(place % 3)],
    })
  })
  const ofPeople = own.flatMap(([login, from, count, step]) => courseOf({ login, from, to: 5, count, step, next }))
  const pending = waiting.map(
    ([place, type, amount, daysAgo]): DemoTransaction => ({
      ...{ login: others[place]?.login ?? '', type, amount, state: 'pending', daysAgo },
      comment: type === 'deposit' ? 'Receipt attached' : 'To my bank account',
    }),
  )
  const first: DemoTransaction = {
    ...{ login: '700331', type: 'deposit', amount: '500.00', state: 'approved', daysAgo: 6, comment: 'First funding' },
  }
  return {
    accounts: [...accounts, ...others],
    transactions: [...transactions, first, ...ofOthers, ...ofPeople, ...byProviders, ...pending],
    isLong: true,
  }
}
