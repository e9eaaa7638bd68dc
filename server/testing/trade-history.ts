import type { System } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database.ts'
import { dealsAtOnce, keepDeals } from '../trades/deals.ts'
import type { Deal } from '../trading-platforms/contract.ts'

/** A trade that went out, as an adapter tells it; `values` say what matters. */
export function dealOf(values: Partial<Deal> & { id: string }): Deal {
  return {
    order: '9001',
    position: '8001',
    login: '700123',
    cmd: 'OP_SELL',
    entry: 1,
    symbol: 'EURUSD',
    lots: '0.30',
    hundredths: '30',
    price: '1.08420',
    openPrice: '1.08120',
    sl: null,
    tp: '1.09000',
    profit: '90.00',
    swap: '-0.42',
    commission: '-0.35',
    fee: '0',
    at: Date.UTC(2026, 10, 20, 14, 5) / 1000,
    openedAt: Date.UTC(2026, 10, 20, 9) / 1000,
    state: 4,
    platformState: 4,
    reason: 0,
    comment: '',
    isTrade: true,
    ...values,
  }
}

type Place = { memberId: string; accountId: string; platformId: string }

/** A history that was read to its beginning just now. */
export async function addHistory(system: System, place: Place, deals: readonly Deal[]): Promise<void> {
  const { memberId: member_id, accountId: account_id, platformId: platform_id } = place
  const { workspaceId: workspace_id, ground } = system
  const now = ground.clock.now()
  await inTransaction(system, async (tx) => {
    await tx
      .insertInto('trade_histories')
      .values({
        ...{ workspace_id, account_id, member_id, platform_id, asked_at: now, read_at: now },
        ...{ read_from: new Date(Date.UTC(2000, 0, 1)), read_to: now, is_complete: true },
      })
      .execute()
    for (let from = 0; from < deals.length; from += dealsAtOnce)
      await keepDeals(tx, system, { account_id, member_id }, deals.slice(from, from + dealsAtOnce))
  })
}
