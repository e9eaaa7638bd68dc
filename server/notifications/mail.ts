import type { ChoosableGroup } from '@atrium/contract/notifications/calls.ts'
import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { workspaceAddress } from '../workspaces/address.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { type Letter, type LetterBrand, type WrittenLetter, writeLetter } from './templates.ts'

export type Message = {
  to: string
  memberId: string | null
  /** One mail for each key. */
  dedupeKey?: string
  /** Holds a link that sets a password: sent first, and deleted when undelivered. */
  hasLink?: boolean
  /** One of many at once: sent after all other waiting mails, so that none of them waits for thousands. */
  isForMany?: boolean
  /** A retry goes to `to` even if the member's address is another one by then. */
  keepsRecipient?: boolean
  /** The group that the member can turn off, until the mail is sent. Absent: sent regardless of preferences. */
  choice?: ChoosableGroup
  /** A function receives the brokerage's configured address for links, never one from a request. */
  letter: Letter | ((place: { address: string; brand: string }) => Letter)
}

export type MailContent = Pick<WrittenLetter, 'text' | 'html'>

/**
 * Writes a mail in the caller's transaction: its commit enqueues the delivery, and a rollback sends nothing.
 */
export async function sendMail(tx: Tx, actor: Actor, message: Message): Promise<void> {
  const workspace = await readWorkspace(tx, actor)
  const { name, accent, supportEmail, logoUrl } = workspace
  const address = workspaceAddress(actor.context.config, workspace)
  // Mail programs show no SVG and need absolute URLs.
  const logo = logoUrl && /^\/.+\.(png|jpg)$/.test(logoUrl) ? `${address}${logoUrl}` : null
  const brand: LetterBrand = { name, accent, supportEmail, address, logo }
  const { letter } = message
  const written = writeLetter(
    brand,
    typeof letter === 'function' ? letter({ address: brand.address, brand: name }) : letter,
  )
  const mail_id = newId()
  const inserted = await tx
    .insertInto('mails')
    .values({
      workspace_id: actor.workspaceId,
      mail_id,
      member_id: message.memberId,
      recipient: message.to,
      subject: written.subject,
      sealed_content: sealContent(actor, written),
      dedupe_key: message.dedupeKey ?? null,
      has_link: message.hasLink ?? false,
      keeps_recipient: message.keepsRecipient ?? false,
      choice: message.choice ?? null,
      created_at: actor.context.clock.now(),
      next_try_at: actor.context.clock.now(),
    })
    // No conflict target: it needs read access, and members can insert mails but not read them.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return
  await actor.context.jobs.enqueue(
    tx,
    'notifications.send-mail',
    { workspaceId: actor.workspaceId, id: mail_id },
    { ...(message.hasLink && { isFirst: true }), ...(message.isForMany && { isLast: true }) },
  )
}

function sealContent({ context }: Actor, { text, html }: WrittenLetter): Buffer {
  return context.seal.seal(JSON.stringify({ text, html } satisfies MailContent))
}

export function openContent({ context }: Actor, sealed: Buffer): MailContent {
  return JSON.parse(context.seal.open(sealed)) as MailContent
}
