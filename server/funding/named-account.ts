import { z } from 'zod'
import type { Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import type { Body } from '../foundation/form-fields.ts'

const isId = (value: unknown): value is string => z.uuid().safeParse(value).success
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/**
 * A deposit names its account by `trading_account`, or by `destination` and `destination_id` as the specification's
 * client does. It is optional for a member with a single live account that accepts deposits.
 */
export async function nameAccount(body: Body, member: Member): Promise<Body> {
  const { destination, destination_id, trading_account, ...rest } = body
  const named = [destination_id, destination].filter(isId).map((id) => id.toLowerCase())
  if (isGiven(trading_account) && named.length === 0) return body
  const own = await listOwnAccounts(member)
  const account = named.find((id) => own.some(({ account_id }) => account_id === id))
  if (isGiven(trading_account) && account !== String(trading_account).toLowerCase()) return body
  const [only, ...others] = own.filter(({ takesMoney }) => takesMoney)
  const usual = account ?? (others.length === 0 && named.length === 0 ? only?.account_id : undefined)
  if (usual === undefined) return body
  // The remaining one of the two ids is the company bank account that received the payment.
  const paidTo = named.find((id) => id !== account)
  return { ...rest, trading_account: usual, ...(paidTo && { destination_id: paidTo }) }
}

function listOwnAccounts(member: Member) {
  return reading(member, (tx) =>
    tx
      .selectFrom('trading_accounts')
      .select('account_id')
      .select(({ eb }) =>
        eb
          .and({ live_account: true, deleted: false, archived: false, enable_read_only: false })
          .$castTo<boolean>()
          .as('takesMoney'),
      )
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .execute(),
  )
}
