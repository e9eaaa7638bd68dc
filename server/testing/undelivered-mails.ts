import type { System } from '../foundation/actor.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { sendMail } from '../notifications/mail.ts'
import { addMember } from './harbour.ts'

type Wanted = { subject?: string; problem?: string; state?: 'failed' | 'unknown'; hasLink?: boolean; memberId?: string }

/** A mail as its last try left it: nobody took it, or nobody knows. Answers its id. */
export async function addUndelivered(system: System, wanted: Wanted = {}): Promise<string> {
  const { subject = 'Your ticket was answered', problem = 'EENVELOPE 550', state = 'failed', hasLink = false } = wanted
  const memberId = wanted.memberId ?? (await addMember(system)).memberId
  const { workspaceId: workspace_id } = system
  const letter = { subject, heading: subject, lines: ['For the tests'], footnote: 'That is all.' }
  return inTransaction(system, async (tx) => {
    const members = tx.selectFrom('members').select('email').where('workspace_id', '=', workspace_id)
    const { email: to } = await members.where('member_id', '=', memberId).executeTakeFirstOrThrow()
    await sendMail(tx, system, { to, memberId, hasLink, letter })
    const { mail_id } = await tx
      .selectFrom('mails')
      .select('mail_id')
      .where('workspace_id', '=', workspace_id)
      .where('member_id', '=', memberId)
      .where('subject', '=', subject)
      .orderBy('mail_id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('mails')
      .set({ state, attempts: 12, last_problem: problem, settled_at: system.ground.clock.now() })
      .$if(hasLink, (query) => query.set({ sealed_content: null }))
      .where('workspace_id', '=', workspace_id)
      .where('mail_id', '=', mail_id)
      .execute()
    return mail_id
  })
}

export function mailRow(system: System, mailId: string) {
  return reading(system, (tx) =>
    tx
      .selectFrom('mails')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('mail_id', '=', mailId)
      .executeTakeFirstOrThrow(),
  )
}
