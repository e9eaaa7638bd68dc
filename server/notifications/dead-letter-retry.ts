import { limits } from '@atrium/contract/limits.ts'
import type { tryAllMailsAgain } from '@atrium/contract/notifications/dead-letters.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseNotFound } from '../foundation/errors.ts'
import { deadLetterMails } from './dead-letters.ts'

type Batch = z.output<(typeof tryAllMailsAgain)['input']>
type Mail = Awaited<ReturnType<typeof lockMail>>

/**
 * Queues the mail again, for the member's current address, since a corrected address is the usual reason, unless it is
 * meant for a former one. A second press finds it queued and sends nothing more.
 */
export async function tryAgain(staff: Staff, mailId: string): Promise<void> {
  authorizeStaff(staff, 'members.help')
  await inTransaction(staff, async (tx) => {
    const mail = await lockMail(tx, staff, mailId)
    if (mail.state === 'queued' || mail.state === 'sending') return
    refuseSeenTo(mail)
    if (!mail.sealed_content) refuse('illegal_move', deskTexts.mailForgotten)
    await queueAgain(tx, staff, mail)
  })
  staff.context.jobs.wake('notifications.send-mail')
}

/**
 * Queues all refused mails again, one batch a commit, so that a repeated call continues with the rest and concurrent
 * calls share them. `until` excludes mails that fail again meanwhile.
 */
export async function tryAllAgain(staff: Staff, { q, until = Number.POSITIVE_INFINITY }: Batch) {
  authorizeStaff(staff, 'members.help')
  const last = Math.min(until, staff.context.clock.now().getTime())
  const tried = await inTransaction(staff, async (tx) => {
    const mails = await tx
      .selectFrom('mails as mail')
      .where(await deadLetterMails.met(tx, staff, { q, state: 'failed' }))
      .selectAll('mail')
      .where('mail.sealed_content', 'is not', null)
      // An earlier attempt had an unknown outcome, so this mail may have arrived.
      .where('mail.unknown_outcomes', '=', 0)
      .where('mail.settled_at', '<=', new Date(last))
      .orderBy('mail.settled_at')
      .orderBy('mail.mail_id')
      .limit(limits.mailsTriedAtOnce)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const mail of mails) await queueAgain(tx, staff, mail)
    return mails.length
  })
  if (tried > 0) staff.context.jobs.wake('notifications.send-mail')
  return { tried, more: tried === limits.mailsTriedAtOnce, until: last }
}

/** The caller holds the row's lock, so that no other transaction queues the mail too. */
async function queueAgain(tx: Tx, staff: Staff, mail: Mail): Promise<void> {
  const memberId = mail.keeps_recipient ? null : mail.member_id
  const recipient = memberId ? await addressOf(tx, staff, memberId) : mail.recipient
  await update(tx, staff, mail.mail_id, {
    ...{ state: 'queued', settled_at: null, unknown_outcomes: 0, last_problem: null },
    ...{ tries_before: mail.attempts, next_try_at: staff.context.clock.now(), recipient },
  })
  await audit(tx, staff, {
    action: 'mail.tried-again',
    subject: { kind: 'mail', id: mail.mail_id },
    memberId: mail.member_id ?? undefined,
    before: { state: mail.state, problem: mail.last_problem },
    after: { subject: mail.subject, is_other_address: recipient !== mail.recipient },
  })
  const { workspaceId, context } = staff
  await context.jobs.enqueue(tx, 'notifications.send-mail', { workspaceId, id: mail.mail_id })
}

/** Removes the mail from the list for good, with its content. */
export async function dismissMail(staff: Staff, mailId: string): Promise<void> {
  authorizeStaff(staff, 'members.help')
  await inTransaction(staff, async (tx) => {
    const mail = await lockMail(tx, staff, mailId)
    if (mail.left_at) return
    refuseSeenTo(mail)
    await update(tx, staff, mailId, { left_at: staff.context.clock.now(), sealed_content: null })
    await audit(tx, staff, {
      action: 'mail.left',
      subject: { kind: 'mail', id: mailId },
      memberId: mail.member_id ?? undefined,
      before: { state: mail.state, problem: mail.last_problem },
      after: { subject: mail.subject },
    })
  })
}

function lockMail(tx: Tx, staff: Staff, mailId: string) {
  return tx
    .selectFrom('mails')
    .selectAll()
    .where('workspace_id', '=', staff.workspaceId)
    .where('mail_id', '=', mailId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => refuseNotFound())
}

function refuseSeenTo({ state, left_at }: { state: string; left_at: Date | null }): void {
  if ((state !== 'failed' && state !== 'unknown') || left_at) refuse('illegal_move', deskTexts.mailSeenTo)
}

async function addressOf(tx: Tx, staff: Staff, memberId: string): Promise<string> {
  const { email } = await tx
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return email
}

type Change = {
  state?: string
  settled_at?: null
  unknown_outcomes?: number
  last_problem?: null
  tries_before?: number
  next_try_at?: Date
  recipient?: string
  left_at?: Date
  sealed_content?: null
}

async function update(tx: Tx, staff: Staff, mailId: string, change: Change): Promise<void> {
  await tx
    .updateTable('mails')
    .set(change)
    .where('workspace_id', '=', staff.workspaceId)
    .where('mail_id', '=', mailId)
    .execute()
}
