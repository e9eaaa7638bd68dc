import { SpanKind } from '@opentelemetry/api'
import type { System } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { assertState } from '../foundation/errors.ts'
import { inSpan } from '../observability/tracing.ts'
import { workspaceAddress } from '../workspaces/address.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { openContent } from './mail.ts'
import { readOff } from './notification-preferences.ts'
import { type Outcome, type Post, sendBySmtp } from './smtp.ts'

/** About four hours with these pauses: longer than most outages, shorter than a mail stays useful. */
const attemptsMax = 12
const firstPauseMs = 10_000
const pauseMsMax = 3_600_000
/** A mail with an unknown outcome is sent once more: one duplicate is acceptable, ten are not. */
const unknownOutcomesMax = 2
/** Longer than one attempt can take (smtp.ts), so that an expired lease means a dead process. */
const leaseMs = 120_000

type Taken = { mailId: string; attempt: number; post: Post }

/** The job's work: sends each mail once, as far as SMTP allows. Idempotent. */
export async function deliverMail(system: System, mailId: string): Promise<void> {
  const { smtpUrl } = system.context.config
  const taken = await inTransaction(system, (tx) => takeMail(tx, system, mailId))
  if (!taken) return
  assertState(smtpUrl, 'a mail is sent without a mail server')
  const outcome = await inSpan('mail send', { kind: SpanKind.CLIENT }, () => sendBySmtp(smtpUrl, taken.post))
  await inTransaction(system, (tx) => settleMail(tx, system, taken, outcome))
}

type MailRow = Awaited<ReturnType<typeof lockMail>> & object

async function takeMail(tx: Tx, system: System, mailId: string): Promise<Taken | null> {
  const row = await lockMail(tx, system, mailId)
  if (!row || (row.state !== 'queued' && row.state !== 'sending')) return null
  const now = system.context.clock.now()
  if (!system.context.config.smtpUrl) {
    await updateMail(tx, system, mailId, { state: 'kept', lease_until: null, settled_at: now })
    return null
  }
  if (row.lease_until && row.lease_until > now) {
    await askAgain(tx, system, mailId, leaseMs) // Another process is sending it; this job retries if that one dies.
    return null
  }
  if (await isDeclined(tx, system, row)) {
    await endMail(tx, system, row, { state: 'declined', last_problem: null })
    return null
  }
  // An unsettled attempt: its process died, and the outcome is unknown.
  const unknown_outcomes = row.unknown_outcomes + (row.state === 'sending' ? 1 : 0)
  if (unknown_outcomes >= unknownOutcomesMax) {
    await endMail(tx, system, row, { state: 'unknown', unknown_outcomes, last_problem: 'interrupted' })
    return null
  }
  const lease_until = new Date(now.getTime() + leaseMs)
  const attempt = row.attempts + 1
  await updateMail(tx, system, mailId, {
    ...{ state: 'sending', attempts: attempt, unknown_outcomes },
    ...{ lease_until, next_try_at: lease_until },
  })
  return { mailId, attempt, post: await makePost(tx, system, row) }
}

/** Whether the member turned these mails off since it was written: it may have waited for hours, or for staff. */
async function isDeclined(tx: Tx, system: System, { choice, member_id }: MailRow): Promise<boolean> {
  if (choice === null || member_id === null) return false
  return (await readOff(tx, system, member_id)).includes(choice)
}

function lockMail(tx: Tx, system: System, mailId: string) {
  return tx
    .selectFrom('mails')
    .selectAll()
    .where('workspace_id', '=', system.workspaceId)
    .where('mail_id', '=', mailId)
    .forUpdate()
    .executeTakeFirst()
}

async function makePost(tx: Tx, system: System, row: MailRow): Promise<Post> {
  assertState(row.sealed_content, 'an unsettled mail without content')
  const workspace = await readWorkspace(tx, system)
  const { mailFrom } = system.context.config
  const host = new URL(workspaceAddress(system.context.config, workspace)).hostname
  return {
    from: { name: workspace.name, address: mailFrom },
    replyTo: workspace.supportEmail,
    to: row.recipient,
    subject: row.subject,
    ...openContent(system, row.sealed_content),
    messageId: `<${row.mail_id}@${host}>`,
    date: row.created_at,
  }
}

async function settleMail(tx: Tx, system: System, taken: Taken, result: Outcome): Promise<void> {
  const { mailId, attempt } = taken
  const row = await lockMail(tx, system, mailId)
  // This attempt outlived its lease and a newer one has begun, which settles the mail.
  if (row?.state !== 'sending' || row.attempts !== attempt) return
  if (result.outcome === 'sent') return endMail(tx, system, row, { state: 'sent', last_problem: null })
  const { outcome, problem: last_problem } = result
  system.context.log.warn({ mail: mailId, outcome, problem: last_problem, attempt }, 'mail not delivered')
  const unknown_outcomes = row.unknown_outcomes + (outcome === 'unknown' ? 1 : 0)
  if (unknown_outcomes >= unknownOutcomesMax)
    return endMail(tx, system, row, { state: 'unknown', unknown_outcomes, last_problem })
  if (outcome === 'refused' || attempt - row.tries_before >= attemptsMax)
    return endMail(tx, system, row, { state: 'failed', last_problem })
  const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - row.tries_before - 1), pauseMsMax)
  const next_try_at = new Date(system.context.clock.now().getTime() + pauseMs)
  await updateMail(tx, system, mailId, {
    ...{ state: 'queued', lease_until: null, next_try_at },
    ...{ unknown_outcomes, last_problem },
  })
  await askAgain(tx, system, mailId, pauseMs)
}

type Ending = {
  state: 'sent' | 'failed' | 'unknown' | 'declined'
  last_problem: string | null
  unknown_outcomes?: number
}

/**
 * Deletes the content of a delivered or declined mail. Staff can retry an undelivered one, so its content stays sealed, unless it
 * holds a link.
 */
function endMail(tx: Tx, system: System, row: MailRow, ending: Ending): Promise<void> {
  const settled_at = system.context.clock.now()
  const isForgotten = ending.state === 'sent' || ending.state === 'declined' || row.has_link
  return updateMail(tx, system, row.mail_id, {
    ...ending,
    ...(isForgotten && { sealed_content: null }),
    lease_until: null,
    settled_at,
  })
}

type Change = {
  state: string
  attempts?: number
  unknown_outcomes?: number
  lease_until: Date | null
  next_try_at?: Date
  sealed_content?: null
  settled_at?: Date
  last_problem?: string | null
}

async function updateMail(tx: Tx, system: System, mailId: string, change: Change): Promise<void> {
  await tx
    .updateTable('mails')
    .set(change)
    .where('workspace_id', '=', system.workspaceId)
    .where('mail_id', '=', mailId)
    .execute()
}

function askAgain(tx: Tx, system: System, id: string, afterMs: number): Promise<void> {
  const startAfter = new Date(Date.now() + afterMs) // The queue uses the real clock, even where a test sets ours.
  return system.context.jobs.enqueue(
    tx,
    'notifications.send-mail',
    { workspaceId: system.workspaceId, id },
    { startAfter },
  )
}
