import { toScale } from '@atrium/contract/money/money.ts'
import type { System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { insertDemoFunds } from '../funding/crediting/demo-funds.ts'
import { holdsRealMoney } from '../funding/group-kind.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

type DemoAccount = { accountId: string; memberId: string; currency: string; askedAt: Date }

/**
 * The initial balance of a demo account: stored in the transaction that stores the account, and credited as any other
 * credit, exactly once.
 */
export async function giveDemoBalance(tx: Tx, system: System, account: DemoAccount): Promise<void> {
  const { settings } = await readWorkspace(tx, system)
  if (/^0+$/.test(settings.demo_balance)) return
  if (await holdsRealMoney(tx, system, account.accountId)) {
    system.context.log.error(
      { account: account.accountId },
      'a demo account is in a live group, and was credited nothing',
    )
    return
  }
  const amount = toScale(settings.demo_balance, account.currency)
  await insertDemoFunds(tx, system, { ...account, amount, source: 'other' }, 'deposit.demo-balance')
}
