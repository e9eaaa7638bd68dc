import { SpanKind } from '@opentelemetry/api'
import type { System } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { assertState } from '../foundation/errors.ts'
import { inSpan } from '../observability/tracing.ts'
import { workspaceAddress } from '../workspaces/address.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { openContent } from './mail.ts'
import { type Outcome, type Post, sendBySmtp } from './smtp.ts'

/** About four hours with the pauses below: longer than most outages, shorter than a mail stays worth reading. */
const attemptsMax = 12
const firstPauseMs = 10_000
const pauseMsMax = 3_600_000
/** A mail that may have arrived is sent once more and no further: twice is a nuisance, ten times is a fault of ours. */
const unknownOutcomesMax = 2
/** Longer than one try can take (smtp.ts), so that whoever finds it over finds a process that is gone. */
const leaseMs = 120_000

type Taken = { mailId: string; attempt: number; post: Post }

/** What the job does: once for each row as far as SMTP allows, and safe to be asked any number of times. */
export async function deliverMail(system: System, mailId: string): Promise<void> {
  const { smtpUrl } = system.context.config
  const taken = await inTransaction(system, (tx) => takeMail(tx, system, mailId))
  if (!taken) return
  assertState(smtpUrl, 'a mail is taken only when there is somebody to give it to')
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
    await askAgain(tx, system, mailId, leaseMs) // Somebody is at it; should they be gone, it is not forgotten.
    return null
  }
  // Taken once and never settled: a process ended in the middle, and nobody knows how far it had come.
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
  assertState(row.sealed_content, 'a mail that is not settled has its content')
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
  // Another try has begun since, because this one outlived its lease: that one settles it.
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

type Ending = { state: 'sent' | 'failed' | 'unknown'; last_problem: string | null; unknown_outcomes?: number }

/**
 * What was delivered is forgotten with its delivery. What was not stays sealed for whoever has it tried again, unless it
 * holds a link: that one is nobody's to find later.
 */
function endMail(tx: Tx, system: System, row: MailRow, ending: Ending): Promise<void> {
  const settled_at = system.context.clock.now()
  const isForgotten = ending.state === 'sent' || row.has_link
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
  const startAfter = new Date(Date.now() + afterMs) // The queue goes by the real clock, also where a test moves ours.
  return system.context.jobs.enqueue(
    tx,
    'notifications.send-mail',
    { workspaceId: system.workspaceId, id },
    { startAfter },
  )
}
