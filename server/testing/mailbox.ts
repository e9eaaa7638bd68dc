import { fillSentence, type NoticeDetails } from '@atrium/contract/notices.ts'
import type { System } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import { openContent } from '../notifications/mail.ts'
import { issueReset } from '../sessions/reset-request.ts'

export type FoundMail = { id: string; to: string; subject: string; text: string; html: string; state: string }

/** Does what the job would do for each reset that somebody asked for. */
export async function answerResetRequests(system: System): Promise<void> {
  const waiting = await reading(system, (tx) =>
    tx
      .selectFrom('password_reset_requests')
      .select('request_id')
      .where('workspace_id', '=', system.workspaceId)
      .orderBy('request_id')
      .execute(),
  )
  for (const { request_id } of waiting) await issueReset(system, request_id)
}

/** The mails to an address that are still to be read, oldest first. */
export async function mailsTo(system: System, email: string): Promise<FoundMail[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('mails')
      .selectAll()
      .where('workspace_id', '=', system.workspaceId)
      .where('recipient', '=', email)
      .orderBy('mail_id')
      .execute(),
  )
  return rows.map((row) => {
    const content = row.sealed_content ? openContent(system, row.sealed_content) : { text: '', html: '' }
    return { id: row.mail_id, to: row.recipient, subject: row.subject, state: row.state, ...content }
  })
}

/** What was told under the bell about one thing, by kind and in words, oldest first. */
export async function toldOf({ system }: { system: System }, targetId: string): Promise<string[]> {
  const rows = await reading(system, (tx) =>
    tx
      .selectFrom('notices')
      .select(['kind', 'body', 'details'])
      .where('workspace_id', '=', system.workspaceId)
      .where('target_id', '=', targetId)
      .orderBy('notice_number')
      .execute(),
  )
  return rows.map(({ kind, body, details }) => `${kind}: ${fillSentence(body, details as NoticeDetails)}`)
}

export function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s"<]+/g)].map(([url]) => url)
}
