import { normalizeIdentifier } from '@atrium/contract/validators/identifier.ts'
import type { Actor } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { emailSpellings, memberHasEmail } from '../foundation/email-spellings.ts'

/** For the command line, which accepts an email or a customer number; null if there is no such member. */
export async function findMemberId(actor: Actor, emailOrNumber: string): Promise<string | null> {
  const row = await reading(actor, (tx) =>
    tx
      .selectFrom('members')
      .select('member_id')
      .where('workspace_id', '=', actor.workspaceId)
      .where((is) =>
        is.or([
          memberHasEmail(actor, emailSpellings(emailOrNumber)),
          is('customer_number', '=', normalizeIdentifier(emailOrNumber)),
        ]),
      )
      .executeTakeFirst(),
  )
  return row?.member_id ?? null
}
