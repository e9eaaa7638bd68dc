import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'

export type About = Partial<Record<'account_id' | 'transaction_id' | 'download_id', string>>

/**
 * The subject of a ticket by id: an own account or transaction, or a download offered for a platform where the member
 * has an account. Another member's and an unknown id are refused alike.
 */
export async function findAbout(tx: Tx, member: Member, modelId: string | undefined): Promise<About> {
  // The member's own id means that the ticket is about the profile.
  if (modelId === undefined || modelId.toLowerCase() === member.memberId) return {}
  const found =
    (await ownAccount(tx, member, modelId)) ??
    (await ownTransaction(tx, member, modelId)) ??
    (await offeredDownload(tx, member, modelId))
  return found ?? refuseFields({ model_id: [ticketTexts.modelUnknown] })
}

async function ownAccount(tx: Tx, { workspaceId, memberId }: Member, id: string): Promise<About | null> {
  const row = await tx
    .selectFrom('trading_accounts')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('account_id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

async function ownTransaction(tx: Tx, { workspaceId, memberId }: Member, id: string): Promise<About | null> {
  const row = await tx
    .selectFrom('balance_transactions')
    .select('transaction_id')
    .where('workspace_id', '=', workspaceId)
    .where('member_id', '=', memberId)
    .where('transaction_id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

async function offeredDownload(tx: Tx, { workspaceId, memberId }: Member, id: string): Promise<About | null> {
  const row = await tx
    .selectFrom('platform_downloads as download')
    .select('download.download_id')
    .where('download.workspace_id', '=', workspaceId)
    .where('download.download_id', '=', id)
    .where('download.archived_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('trading_accounts as account')
          .select('account.account_id')
          .whereRef('account.workspace_id', '=', 'download.workspace_id')
          .whereRef('account.platform_id', '=', 'download.platform_id')
          .where('account.member_id', '=', memberId)
          .where('account.deleted', '=', false),
      ),
    )
    .executeTakeFirst()
  return row ?? null
}
