import { termsTexts } from '@atrium/contract/terms/texts.ts'
import type { Member } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { type Device, storedUserAgent } from '../sessions/session.ts'

type Accepted = { id: string; version?: number | undefined }

/**
 * Records that the member accepts the published version: text, time and address; idempotent. Refuses a version
 * published since the page was loaded if it asks again.
 */
export async function acceptTerms(member: Member, { id, version: read }: Accepted, device: Device): Promise<void> {
  await inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    const template = await tx
      .selectFrom('terms_templates')
      .select(['version', 'asks_from'])
      .where('workspace_id', '=', member.workspaceId)
      .where('template_id', '=', id)
      .where('state', '=', 'published')
      .executeTakeFirst()
    if (!template?.version || !template.asks_from) refuseNotFound()
    const earlier = await tx
      .selectFrom('terms_acceptances')
      .select('version')
      .where('workspace_id', '=', member.workspaceId)
      .where('member_id', '=', member.memberId)
      .where('template_id', '=', id)
      .where('version', '>=', template.asks_from)
      .executeTakeFirst()
    if (earlier) return
    const version = read ?? template.version
    if (version > template.version) refuseNotFound()
    if (version < template.asks_from) refuse('conflict', termsTexts.termsChanged)
    const added = await tx
      .insertInto('terms_acceptances')
      .values({
        workspace_id: member.workspaceId,
        member_id: member.memberId,
        template_id: id,
        version,
        accepted_at: member.context.clock.now(),
        address: device.address,
        user_agent: storedUserAgent(device),
        session_id: member.sessionId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('version')
      .executeTakeFirst()
    if (added) await audit(tx, member, { action: 'terms.accepted', subject: { kind: 'terms', id }, after: { version } })
  })
}
