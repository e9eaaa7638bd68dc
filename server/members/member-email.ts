import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { emailSpellings, holdEmail, memberHasEmail } from '../foundation/email-spellings.ts'
import { refuse } from '../foundation/errors.ts'

/** Whether a member other than `but` signs in with it. Only staff may learn this, so that members cannot find out about others. */
export async function isEmailTaken(tx: Tx, actor: Actor, email: string, but: string | null): Promise<boolean> {
  const row = await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', actor.workspaceId)
    .where(memberHasEmail(actor, emailSpellings(email)))
    .$if(but !== null, (query) => query.where('member_id', '!=', but ?? ''))
    .executeTakeFirst()
  return row !== undefined
}

export async function refuseTakenEmail(tx: Tx, actor: Actor, email: string, but: string | null): Promise<void> {
  await holdEmail(tx, actor, 'members', email)
  if (await isEmailTaken(tx, actor, email, but))
    refuse('conflict', deskTexts.memberEmailTaken, { errors: { email: [deskTexts.memberEmailTaken] } })
}
