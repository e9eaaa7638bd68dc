import type { Actor } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { newId } from '../foundation/ids.ts'
import { workspaceAddress } from '../workspaces/address.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { type Letter, type LetterBrand, type WrittenLetter, writeLetter } from './templates.ts'

export type Message = {
  to: string
  memberId: string | null
  /** The same key is one mail, however often it is written. */
  dedupeKey?: string
  /** Holds a link that sets a password: it goes out first, and is not kept where it did not get through. */
  hasLink?: boolean
  /** Told the brokerage's own address, for a link. Never one that a request named. */
  letter: Letter | ((place: { address: string; brand: string }) => Letter)
}

export type MailContent = Pick<WrittenLetter, 'text' | 'html'>

/**
 * Writes a mail down in the transaction that has something to tell: with its commit a job will deliver it, without it
 * nobody hears of what never happened. Nothing is sent from here.
 */
export async function sendMail(tx: Tx, actor: Actor, message: Message): Promise<void> {
  const workspace = await readWorkspace(tx, actor)
  const { name, accent, supportEmail, logoUrl } = workspace
  const address = workspaceAddress(actor.context.config, workspace)
  // Mail programs show no drawings (SVG), and nothing without its whole address.
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
      created_at: actor.context.clock.now(),
      next_try_at: actor.context.clock.now(),
    })
    // Without a target: members add mails and read none, and a target would have to be read.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 0n) return
  await actor.context.jobs.enqueue(
    tx,
    'notifications.send-mail',
    { workspaceId: actor.workspaceId, id: mail_id },
    { ...(message.hasLink && { isFirst: true }) },
  )
}

function sealContent({ context }: Actor, { text, html }: WrittenLetter): Buffer {
  return context.seal.seal(JSON.stringify({ text, html } satisfies MailContent))
}

export function openContent({ context }: Actor, sealed: Buffer): MailContent {
  return JSON.parse(context.seal.open(sealed)) as MailContent
}
