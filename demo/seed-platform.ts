import { accounts, type DemoAccount, people } from './harbour-markets.ts'
import { transactions } from './harbour-money.ts'
import type { Simulators } from './simulators.ts'
import { demoPositions, demoTrades } from './trades.ts'

const dayMs = 86_400_000

/** When a demo transaction of so many days ago happened, relative to the brokerage's first day in this installation. */
export function momentOf(daysAgo: number, now: number): number {
  return Math.round(now - daysAgo * dayMs)
}

/** The simulated platform that an account is on. */
export function platformOf({ mt4, mt5 }: Simulators, { platform }: DemoAccount): Simulators['mt4'] | Simulators['mt5'] {
  return platform === 'mt4' ? mt4 : mt5
}

/**
 * The demo accounts on the simulated platforms, with the ledger that the portal's history names. Accounts that exist are
 * left as they are, so every start may call this.
 */
export async function seedPlatforms(simulators: Simulators, now: number): Promise<void> {
  for (const [index, account] of accounts.entries()) {
    const owner = people[account.owner]
    const isMain = account.login === '700123'
    const seed = {
      login: account.login,
      group: account.group,
      name: `${owner.first_name} ${owner.last_name}`,
      leverage: account.leverage,
      balance: account.balance,
      registeredAtMs: now - 240 * dayMs,
      trades: demoTrades(now, isMain ? 60 : 12, 7 + index),
      positions: account.live || isMain || account.platform === 'mt4' ? demoPositions(now, index) : [],
    }
    await platformOf(simulators, account).seedAccounts([seed])
  }
  await simulators.mt5.seedAccounts([unknownAtPlatform])
}

/** Opened by a dealer at the platform, for somebody who is no member: what the desk calls a difference. */
const unknownAtPlatform = {
  login: '700088',
  group: 'real\\standard-usd',
  name: 'Elena Rossi',
  email: 'elena.rossi@letters.example',
  leverage: 100,
  balance: '1500.00',
}

/**
 * The platform's tickets of what the demo's history calls approved. The balance given above already holds these amounts,
 * so each is booked together with its opposite.
 */
export async function bookHistory(simulators: Simulators, now: number): Promise<Map<number, string>> {
  const tickets = new Map<number, string>()
  for (const [index, transaction] of transactions.entries()) {
    const account = accounts.find((each) => each.login === transaction.login)
    if (transaction.state !== 'approved' || !account) continue
    const platform = platformOf(simulators, account)
    const amount = transaction.type === 'deposit' ? transaction.amount : `-${transaction.amount}`
    const opposite = amount.startsWith('-') ? amount.slice(1) : `-${amount}`
    const atMs = momentOf(transaction.daysAgo, now)
    const comment = transaction.type === 'deposit' ? 'Deposit' : 'Withdrawal'
    await platform.addLedger(transaction.login, {
      amount: opposite,
      atMs: atMs - 1_000,
      comment: 'Opening correction',
      action: 5,
    })
    await platform.addLedger(transaction.login, { amount, atMs, comment })
    tickets.set(index, await lastTicket(simulators, account))
  }
  return tickets
}

async function lastTicket({ mt4, mt5 }: Simulators, { platform, login }: DemoAccount): Promise<string> {
  const ticket = platform === 'mt4' ? (await mt4.ledger(login)).at(-1)?.order : (await mt5.ledger(login)).at(-1)?.deal
  return ticket ?? ''
}
