import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import type { PasswordKind } from '../trading-platforms/contract.ts'

const columnOf = { main: 'main_password_due', investor: 'investor_password_due' } as const satisfies Record<
  PasswordKind,
  string
>
const kinds = Object.keys(columnOf) as PasswordKind[]

type Due = Record<(typeof columnOf)[PasswordKind], boolean>

/** An account with another owner: the former one may know its passwords, until the new one has set others. */
export const allPasswordsDue: Due = { main_password_due: true, investor_password_due: true }

export const duePasswords = (account: Due): PasswordKind[] => kinds.filter((kind) => account[columnOf[kind]])

type Changed = { accountId: string; memberId: string; which: PasswordKind }

/** Only a change by the present owner counts: a former one's may be under way while the account moves. */
export async function clearDuePassword(tx: Tx, { workspaceId }: Actor, changed: Changed): Promise<void> {
  const column = columnOf[changed.which]
  await tx
    .updateTable('trading_accounts')
    .set({ [column]: false })
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', changed.accountId)
    .where('member_id', '=', changed.memberId)
    .where(column, '=', true)
    .execute()
}
