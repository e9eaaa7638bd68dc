import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { withParagraphs } from '@atrium/contract/terms/html.ts'
import { termsTexts } from '@atrium/contract/terms/texts.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { refuse, refuseFields, refuseNotFound } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { refuseUnseen } from '../foundation/revision.ts'
import { lockWorkspace } from '../workspaces/choices.ts'
import { cleanTermsHtml, holdsText } from './clean-html.ts'

/** Cleaned on input, so that the database never holds unsafe HTML. */
function cleanText({ name, tickbox_text, template, blocked_portal_sections }: TermsText): TermsText {
  const cleaned = cleanTermsHtml(withParagraphs(template))
  if (!holdsText(cleaned)) refuseFields({ template: [termsTexts.termsTextMissing] })
  return {
    name,
    tickbox_text,
    template: cleaned,
    blocked_portal_sections: [...new Set(blocked_portal_sections)],
  }
}

/** The audit entry of a text without the text itself, which its version stores. */
const aboutText = ({ template, ...rest }: TermsText) => ({ ...rest, characters: template.length })

/** The same form sent twice creates one draft: the workspace lock makes the second call find it. */
export async function createTerms(staff: Staff, input: TermsText): Promise<string> {
  authorizeStaff(staff, 'terms.manage')
  const text = cleanText(input)
  const id = newId()
  const key = { workspace_id: staff.workspaceId, template_id: id }
  const now = staff.context.clock.now()
  return inTransaction(staff, async (tx) => {
    await lockWorkspace(tx, staff)
    const earlier = await findUntouchedDraft(tx, staff, text)
    if (earlier) return earlier
    const { count, last } = await tx
      .selectFrom('terms_templates')
      .select([sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(max(position), 0)`.as('last')])
      .where('workspace_id', '=', staff.workspaceId)
      .executeTakeFirstOrThrow()
    if (count >= limits.termsTemplatesMax)
      refuse('conflict', deskTexts.termsTooMany.replace('{{count}}', String(limits.termsTemplatesMax)))
    await tx
      .insertInto('terms_templates')
      .values({ ...key, position: last + 1, created_at: now })
      .execute()
    await tx
      .insertInto('terms_drafts')
      .values({ ...key, ...text, updated_at: now, updated_by: staff.staffId })
      .execute()
    await audit(tx, staff, { action: 'terms.created', subject: { kind: 'terms', id }, after: aboutText(text) })
    return id
  })
}

/** An identical draft by this desk user, unchanged and unpublished since its creation. */
async function findUntouchedDraft(tx: Tx, staff: Staff, text: TermsText): Promise<string | undefined> {
  const rows = await tx
    .selectFrom('terms_drafts as draft')
    .innerJoin('terms_templates as template', (join) =>
      join
        .onRef('template.workspace_id', '=', 'draft.workspace_id')
        .onRef('template.template_id', '=', 'draft.template_id'),
    )
    .select([
      'draft.template_id',
      'draft.name',
      'draft.tickbox_text',
      'draft.template',
      'draft.blocked_portal_sections',
    ])
    .where('draft.workspace_id', '=', staff.workspaceId)
    .where('draft.updated_by', '=', staff.staffId)
    .where('draft.revision', '=', 1)
    .where('draft.name', '=', text.name)
    .where('template.state', '=', 'draft')
    .execute()
  return rows.find((row) => isSameText(row, text))?.template_id
}

type Saved = TermsText & { id: string; revision: number }

export async function saveTerms(staff: Staff, { id, revision, ...input }: Saved): Promise<void> {
  authorizeStaff(staff, 'terms.manage')
  const text = cleanText(input)
  await inTransaction(staff, async (tx) => {
    const { draft } = await lockTerms(tx, staff, id)
    if (draft.revision !== revision) refuse('conflict', deskTexts.termsChangedElsewhere)
    await tx
      .updateTable('terms_drafts')
      .set({ ...text, revision: revision + 1, updated_at: staff.context.clock.now(), updated_by: staff.staffId })
      .where('workspace_id', '=', staff.workspaceId)
      .where('template_id', '=', id)
      .execute()
    const subject = { kind: 'terms', id }
    await audit(tx, staff, { action: 'terms.saved', subject, before: aboutText(textOf(draft)), after: aboutText(text) })
  })
}

type Published = { id: string; revision: number; asks_again: boolean }

/**
 * Publishes the draft. Members who accepted an earlier version are asked again if staff choose so; a retired, unchanged
 * text keeps its acceptances.
 */
export async function publishTerms(staff: Staff, { id, revision, asks_again }: Published): Promise<void> {
  authorizeStaff(staff, 'terms.manage')
  await inTransaction(staff, async (tx) => {
    const { template, draft } = await lockTerms(tx, staff, id)
    if (draft.revision !== revision) refuse('conflict', deskTexts.termsChangedElsewhere)
    const key = { workspace_id: staff.workspaceId, template_id: id }
    const isSame = template.version !== null && !asks_again && (await isPublishedText(tx, key, template.version, draft))
    const version = isSame ? (template.version ?? 1) : (template.version ?? 0) + 1
    const asksAgain = asks_again || template.asks_from === null
    if (!isSame) {
      const published = { published_at: staff.context.clock.now(), published_by: staff.staffId }
      await tx
        .insertInto('terms_versions')
        .values({ ...key, ...textOf(draft), ...published, version, asks_again: asksAgain })
        .execute()
    }
    const asks_from = asksAgain ? version : template.asks_from
    await tx
      .updateTable('terms_templates')
      .set({ state: 'published', version, asks_from })
      .where('workspace_id', '=', staff.workspaceId)
      .where('template_id', '=', id)
      .execute()
    // A repeated click then names an outdated revision and is refused.
    await tx
      .updateTable('terms_drafts')
      .set({ revision: revision + 1 })
      .where('workspace_id', '=', staff.workspaceId)
      .where('template_id', '=', id)
      .execute()
    const before = { state: template.state, version: template.version }
    const after = { state: 'published', version, asks_from, ...aboutText(textOf(draft)) }
    await audit(tx, staff, { action: 'terms.published', subject: { kind: 'terms', id }, before, after })
  })
}

/** Stops asking. Acceptances and versions stay. */
export async function retireTerms(staff: Staff, id: string): Promise<void> {
  authorizeStaff(staff, 'terms.manage')
  await inTransaction(staff, async (tx) => {
    const { template } = await lockTerms(tx, staff, id)
    if (template.state === 'retired') return
    await tx
      .updateTable('terms_templates')
      .set({ state: 'retired' })
      .where('workspace_id', '=', staff.workspaceId)
      .where('template_id', '=', id)
      .execute()
    const before = { state: template.state }
    await audit(tx, staff, { action: 'terms.retired', subject: { kind: 'terms', id }, before })
  })
}

/** Sets the order of templates; unnamed ones follow in their previous order. */
export async function orderTerms(staff: Staff, ids: readonly string[], seen?: readonly string[]): Promise<void> {
  authorizeStaff(staff, 'terms.manage')
  await inTransaction(staff, async (tx) => {
    // Locks before reading: a read that waited for locks would return the old order.
    await lockWorkspace(tx, staff)
    const rows = await tx
      .selectFrom('terms_templates as template')
      .innerJoin('terms_drafts as draft', (join) =>
        join
          .onRef('draft.workspace_id', '=', 'template.workspace_id')
          .onRef('draft.template_id', '=', 'template.template_id'),
      )
      .select(['template.template_id', 'draft.name'])
      .where('template.workspace_id', '=', staff.workspaceId)
      .orderBy('template.position')
      .orderBy('template.template_id')
      .forUpdate('template')
      .execute()
    const known = rows.map((row) => row.template_id)
    if (ids.some((id) => !known.includes(id))) refuseNotFound()
    const order = [...new Set([...ids, ...known])]
    if (order.every((id, index) => id === known[index])) return
    // New terms come last and change no order.
    refuseUnseen(seen, seen && known.filter((id) => seen.includes(id)))
    for (const [index, id] of order.entries()) {
      await tx
        .updateTable('terms_templates')
        .set({ position: index + 1 })
        .where('workspace_id', '=', staff.workspaceId)
        .where('template_id', '=', id)
        .execute()
    }
    const [first] = order
    // Names, because readers of the log do not know ids.
    const named = (all: string[]) => all.map((id) => rows.find((row) => row.template_id === id)?.name ?? id)
    const change = { before: { order: named(known) }, after: { order: named(order) } }
    if (first) await audit(tx, staff, { action: 'terms.ordered', subject: { kind: 'terms', id: first }, ...change })
  })
}

/** The workspace first, since a change of what members are asked for renews its revision. */
async function lockTerms(tx: Tx, staff: Staff, id: string) {
  await lockWorkspace(tx, staff)
  const template = await tx
    .selectFrom('terms_templates')
    .select(['state', 'version', 'asks_from'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('template_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!template) refuseNotFound()
  const draft = await tx
    .selectFrom('terms_drafts')
    .select(['name', 'tickbox_text', 'template', 'blocked_portal_sections', 'revision'])
    .where('workspace_id', '=', staff.workspaceId)
    .where('template_id', '=', id)
    .executeTakeFirstOrThrow()
  return { template, draft }
}

type StoredText = { name: string; tickbox_text: string; template: string; blocked_portal_sections: string[] }

function textOf({ name, tickbox_text, template, blocked_portal_sections }: StoredText) {
  return { name, tickbox_text, template, blocked_portal_sections } as TermsText
}

async function isPublishedText(
  tx: Tx,
  key: { workspace_id: string; template_id: string },
  version: number,
  draft: StoredText,
): Promise<boolean> {
  const row = await tx
    .selectFrom('terms_versions')
    .select(['name', 'tickbox_text', 'template', 'blocked_portal_sections'])
    .where('workspace_id', '=', key.workspace_id)
    .where('template_id', '=', key.template_id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return isSameText(row, draft)
}

export function isSameText(one: StoredText, other: StoredText): boolean {
  return JSON.stringify(textOf(one)) === JSON.stringify(textOf(other))
}
