import { accounts, people, transactions } from './harbour-markets.ts'
import type { Simulators } from './simulators.ts'
import { demoPositions, demoTrades } from './trades.ts'

const dayMs = 86_400_000

/** When a demo transaction of so many days ago happened, relative to the brokerage's first day in this installation. */
export function momentOf(daysAgo: number, now: number): number {
  return Math.round(now - daysAgo * dayMs)
}

/**
 * The demo accounts on the simulated platform, with the ledger that the portal's history names. Accounts that exist are
 * left as they are, so every start may call this.
 */
export async function seedPlatform({ mt5 }: Simulators, now: number): Promise<void> {
  const seeds = accounts.map((account, index) => {
    const owner = people[account.owner]
    const isMain = account.login === '700123'
    return {
      login: account.login,
      group: account.group,
      name: `${owner.first_name} ${owner.last_name}`,
      leverage: account.leverage,
      balance: account.balance,
      registeredAtMs: now - 240 * dayMs,
      trades: demoTrades(now, isMain ? 60 : 12, 7 + index),
      positions: account.live || isMain ? demoPositions(now) : [],
    }
  })
  await mt5.seedAccounts(seeds)
}

/**
 * The platform's tickets of what the demo's history calls approved. The balance given above already holds these amounts,
 * so each is booked together with its opposite.
 */
export async function bookHistory({ mt5 }: Simulators, now: number): Promise<Map<number, string>> {
  const tickets = new Map<number, string>()
  for (const [index, transaction] of transactions.entries()) {
    if (transaction.state !== 'approved') continue
    const amount = transaction.type === 'deposit' ? transaction.amount : `-${transaction.amount}`
    const opposite = amount.startsWith('-') ? amount.slice(1) : `-${amount}`
    const atMs = momentOf(transaction.daysAgo, now)
    const comment = transaction.type === 'deposit' ? 'Deposit' : 'Withdrawal'
    await mt5.addLedger(transaction.login, {
      amount: opposite,
      atMs: atMs - 1_000,
      comment: 'Opening correction',
      action: 5,
    })
    await mt5.addLedger(transaction.login, { amount, atMs, comment })
    const deals = await mt5.ledger(transaction.login)
    tickets.set(index, deals.at(-1)?.deal ?? '')
  }
  return tickets
}
