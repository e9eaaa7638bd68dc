import { limits } from '@atrium/contract/limits.ts'
import type { DeskTerms, deskTermsRow } from '@atrium/contract/terms/desk-calls.ts'
import type { TermsState } from '@atrium/contract/terms/states.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { readSections } from '../foundation/pending-terms.ts'
import { cleanTermsHtml } from './clean-html.ts'
import { isSameText } from './template.ts'

type TermsRow = z.output<typeof deskTermsRow>

function selectTemplates(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('terms_templates as template')
    .innerJoin('terms_drafts as draft', (join) =>
      join
        .onRef('draft.workspace_id', '=', 'template.workspace_id')
        .onRef('draft.template_id', '=', 'template.template_id'),
    )
    .where('template.workspace_id', '=', staff.workspaceId)
    .select(['template.template_id', 'template.state', 'template.version', 'template.asks_from'])
    .select(['draft.name', 'draft.tickbox_text', 'draft.template', 'draft.blocked_portal_sections'])
    .select(['draft.revision', 'draft.updated_at'])
}

type Template = Awaited<ReturnType<typeof readTemplates>>[number]
const readTemplates = (tx: Tx, staff: Staff) =>
  selectTemplates(tx, staff)
    .orderBy('template.position')
    .orderBy('template.template_id')
    .limit(limits.termsTemplatesMax)
    .execute()

type Counts = { members: number; accepted: Map<string, number> }

/** How many members can sign in, and for each template how many of them it does not ask. */
async function countAcceptances(tx: Tx, staff: Staff): Promise<Counts> {
  const { members } = await tx
    .selectFrom('members')
    .select(sql<number>`count(*)::int`.as('members'))
    .where('workspace_id', '=', staff.workspaceId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  const rows = await tx
    .selectFrom('terms_acceptances as accepted')
    .innerJoin('terms_templates as template', (join) =>
      join
        .onRef('template.workspace_id', '=', 'accepted.workspace_id')
        .onRef('template.template_id', '=', 'accepted.template_id')
        .onRef('template.asks_from', '<=', 'accepted.version'),
    )
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'accepted.workspace_id')
        .onRef('member.member_id', '=', 'accepted.member_id')
        .on('member.status', '=', 'active'),
    )
    .select(['accepted.template_id', sql<number>`count(distinct accepted.member_id)::int`.as('count')])
    .where('accepted.workspace_id', '=', staff.workspaceId)
    .groupBy('accepted.template_id')
    .execute()
  return { members, accepted: new Map(rows.map((row) => [row.template_id, row.count])) }
}

function shapeRow(row: Template, versions: Version[], counts: Counts): TermsRow {
  const published = versions.find(
    ({ template_id, version }) => template_id === row.template_id && version === row.version,
  )
  return {
    _id: row.template_id,
    name: row.name,
    state: row.state as TermsState,
    version: row.version,
    published_at: published?.published_at.getTime() ?? null,
    blocked_portal_sections: readSections((published ?? row).blocked_portal_sections),
    is_changed: !published || !isSameText(published, row),
    accepted: counts.accepted.get(row.template_id) ?? 0,
    members: counts.members,
  }
}

export async function listDeskTerms(staff: Staff): Promise<TermsRow[]> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const rows = await readTemplates(tx, staff)
    const counts = await countAcceptances(tx, staff)
    const versions = await selectVersions(tx, staff)
      .innerJoin('terms_templates as template', (join) =>
        join
          .onRef('template.workspace_id', '=', 'published.workspace_id')
          .onRef('template.template_id', '=', 'published.template_id')
          .onRef('template.version', '=', 'published.version'),
      )
      .execute()
    return rows.map((row) => shapeRow(row, versions, counts))
  })
}

type Version = Awaited<ReturnType<ReturnType<typeof selectVersions>['execute']>>[number]
function selectVersions(tx: Tx, staff: Staff) {
  return tx
    .selectFrom('terms_versions as published')
    .leftJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'published.workspace_id')
        .onRef('colleague.staff_id', '=', 'published.published_by'),
    )
    .select(['published.template_id', 'published.version', 'published.published_at', 'published.asks_again'])
    .select(['published.name', 'published.tickbox_text', 'published.template', 'published.blocked_portal_sections'])
    .select('colleague.name as published_by')
    .where('published.workspace_id', '=', staff.workspaceId)
}

/** The number of published versions shown, newest first. */
const versionsMax = 50

/** One template with its draft, its published versions and the number of members it asks. */
export async function readDeskTerms(staff: Staff, id: string): Promise<DeskTerms> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const row = await selectTemplates(tx, staff).where('template.template_id', '=', id).executeTakeFirst()
    if (!row) refuseNotFound()
    const versions = await selectVersions(tx, staff)
      .where('published.template_id', '=', id)
      .orderBy('published.version', 'desc')
      .limit(versionsMax)
      .execute()
    const perVersion = await countPerVersion(tx, staff, id)
    return {
      ...shapeRow(row, versions, await countAcceptances(tx, staff)),
      draft: textOf(row),
      revision: row.revision,
      updated_at: row.updated_at.getTime(),
      versions: versions.map((version) => ({
        ...textOf(version),
        version: version.version,
        published_at: version.published_at.getTime(),
        published_by: version.published_by,
        asks_again: version.asks_again,
        accepted: perVersion.get(version.version) ?? 0,
      })),
    }
  })
}

type Text = Pick<Version, 'name' | 'tickbox_text' | 'template' | 'blocked_portal_sections'>

/** Cleaned on output for the desk too, which shows it in a browser. */
function textOf({ name, tickbox_text, template, blocked_portal_sections }: Text) {
  const sections = readSections(blocked_portal_sections)
  return { name, tickbox_text, template: cleanTermsHtml(template), blocked_portal_sections: sections }
}

async function countPerVersion(tx: Tx, staff: Staff, id: string): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('terms_acceptances')
    .select(['version', sql<number>`count(*)::int`.as('count')])
    .where('workspace_id', '=', staff.workspaceId)
    .where('template_id', '=', id)
    .groupBy('version')
    .execute()
  return new Map(rows.map((row) => [row.version, row.count]))
}
