import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { signIns } from './harbour-markets.ts'

/** Undelivered mails, one of every kind that the desk can show. */
const deadLetters = [
  {
    to: 'second',
    subject: 'Deposit T-1006 was credited',
    state: 'failed',
    problem: 'EENVELOPE 550',
    tries: 1,
    hoursAgo: 7,
  },
  { to: 'sales', subject: 'New sign-in to your account', state: 'unknown', problem: 'ESOCKET', tries: 2, hoursAgo: 31 },
  { to: 'new', subject: 'Set a new password', state: 'failed', problem: 'EMESSAGE 452', tries: 12, hoursAgo: 55 },
] as const

type Owners = Record<(typeof deadLetters)[number]['to'], string>

export async function addDeadLetterMails(tx: Tx, system: System, ids: Owners): Promise<void> {
  const now = system.context.clock.now().getTime()
  for (const { to, subject, state, problem, tries, hoursAgo } of deadLetters) {
    const has_link = subject === 'Set a new password'
    const content = { text: `${subject}\n`, html: `<p>${subject}</p>` }
    await tx
      .insertInto('mails')
      .values({
        workspace_id: system.workspaceId,
        mail_id: newId(),
        member_id: ids[to],
        recipient: signIns[to],
        subject,
        has_link,
        sealed_content: has_link ? null : system.context.seal.seal(JSON.stringify(content)),
        state,
        attempts: tries,
        last_problem: problem,
        created_at: new Date(now - (hoursAgo + 4) * 3_600_000),
        settled_at: new Date(now - hoursAgo * 3_600_000),
      })
      .execute()
  }
}
