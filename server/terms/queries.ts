import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readTerms } from '@atrium/contract/terms/calls.ts'
import type { Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { readSections } from '../foundation/pending-terms.ts'
import { cleanTermsHtml } from './clean-html.ts'

export type TermsTemplate = CallAnswer<typeof readTerms>['terms'][number]

/** The member's pending terms, cleaned again on output. */
export async function readPendingTerms(member: Member): Promise<TermsTemplate[]> {
  if (member.terms.length === 0) return []
  const rows = await reading(member, (tx) =>
    tx
      .selectFrom('terms_versions')
      .select(['template_id', 'version', 'name', 'template', 'tickbox_text', 'blocked_portal_sections'])
      .where('workspace_id', '=', member.workspaceId)
      .where((eb) => eb.or(member.terms.map(({ _id, version }) => eb.and({ template_id: _id, version }))))
      .execute(),
  )
  return member.terms.flatMap(({ _id }) => {
    const row = rows.find(({ template_id }) => template_id === _id)
    if (!row) return []
    const { name, version, tickbox_text } = row
    const blocked_portal_sections = readSections(row.blocked_portal_sections)
    return [{ _id, name, version, tickbox_text, blocked_portal_sections, template: cleanTermsHtml(row.template) }]
  })
}
