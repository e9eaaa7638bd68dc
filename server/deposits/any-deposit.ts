import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { type createDeposit, demoDepositInput, depositInput } from '@atrium/contract/funding.ts'
import { sayProblem } from '@atrium/contract/input-problems.ts'
import type { z } from 'zod'
import { authorize, type Member } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { errorsByField, refuseFields } from '../foundation/errors.ts'
import { requestDemoDeposit } from './demo-deposit.ts'
import { findUsualBank, judgeDeposit, type ReadableDeposit, type RequestedDeposit, requestDeposit } from './deposit.ts'

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
  const destination_id =
    input.destination_id ?? (await reading(member, (tx) => findUsualBank(tx, member, input.trading_account)))
  const transfer = depositInput.safeParse({ ...input, destination_id }, { error: sayProblem })
  if (!transfer.success) refuseFields(await complainOfDeposit(member, { ...input, destination_id }))
  return requestDeposit(member, transfer.data)
}

/** Everything that is wrong with a deposit at once, by its schema and by what only the database knows. */
export async function complainOfDeposit(member: Member, readable: ReadableDeposit): Promise<FieldErrors> {
  authorize(member, 'deposit')
  const isDemo = readable.trading_account !== undefined && (await isOwnDemoAccount(member, readable.trading_account))
  const parsed = (isDemo ? demoDepositInput : depositInput).safeParse(readable, { error: sayProblem })
  const missing = parsed.success ? {} : errorsByField(parsed.error.issues)
  // Not a reading one: files are looked at as a deposit looks at them, which holds them for the moment.
  const judged = await inTransaction(member, (tx) => judgeDeposit(tx, member, readable))
  const wrong = 'errors' in judged ? judged.errors : {}
  const known = isDemo ? { ...(wrong.amount && { amount: wrong.amount }) } : wrong
  return { ...missing, ...known, ...missing }
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
