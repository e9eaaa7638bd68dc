import { type createDeposit, demoDepositInput, depositInput } from '@atrium/contract/funding.ts'
import { sayProblem } from '@atrium/contract/input-problems.ts'
import type { z } from 'zod'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import { errorsByField } from '../foundation/door.ts'
import { refuseFields } from '../foundation/errors.ts'
import { requestDemoDeposit } from './demo-deposit.ts'
import { type RequestedDeposit, requestDeposit } from './deposit.ts'

/**
 * The account decides which deposit it is, and nothing that is sent: practice money for a demo account, a transfer for a
 * live one. An account that is not the member's is told as the form for transfers tells it, whatever it is to its owner.
 */
export async function requestAnyDeposit(
  member: Member,
  input: z.output<(typeof createDeposit)['input']>,
): Promise<RequestedDeposit> {
  authorize(member, 'deposit')
  if (await isOwnDemoAccount(member, input.trading_account)) {
    return requestDemoDeposit(member, demoDepositInput.parse(input))
  }
  const transfer = depositInput.safeParse(input, { error: sayProblem })
  if (!transfer.success) refuseFields(errorsByField(transfer.error.issues))
  return requestDeposit(member, transfer.data)
}

async function isOwnDemoAccount(member: Member, accountId: string): Promise<boolean> {
  const account = await reading(member, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select('live_account')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('account_id', '=', accountId)
      .executeTakeFirst(),
  )
  return account?.live_account === false
}
