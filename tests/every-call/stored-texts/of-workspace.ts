import { createTerms, saveTerms } from '@atrium/contract/terms/desk-calls.ts'
import { withParagraphs } from '@atrium/contract/terms/html.ts'
import { changeWorkspace } from '@atrium/contract/workspace-settings/desk-calls.ts'
import type pg from 'pg'
import { cleanTermsHtml } from '../../../server/terms/clean-html.ts'
import { addTerms } from '../../fixtures/requests.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import type { Body, StoredText } from './stored-text.ts'

/** Texts of terms and of the settings of a workspace. */
export function storedWorkspaceTexts({ system, staff }: TradingFixture, owner: pg.Client): StoredText[] {
  const terms = { name: 'Terms', tickbox_text: 'Yes', template: '<p>Text</p>', blocked_portal_sections: ['downloads'] }
  /** A workspace has at most a hundred templates, which the texts would exceed. */
  const clearDrafts = () => owner.query('delete from terms_drafts; delete from terms_templates')
  const revised = async (): Promise<Body> => {
    await clearDrafts()
    return { ...terms, id: await addTerms(staff, { isDraft: true }), revision: 1 }
  }
  const section = async (name: string): Promise<Body> => {
    const { rows } = await owner.query<{ version: number | null }>(
      `select (versions->$2->>'version')::int as version from workspaces where workspace_id = $1`,
      [system.workspaceId, name],
    )
    return { section: name, version: rows[0]?.version ?? 0 }
  }
  const created: Pick<StoredText, 'call' | 'body' | 'shown'> = {
    call: createTerms,
    async body() {
      await clearDrafts()
      return terms
    },
    shown: (_, { terms: made }) => [['staff', `/desk/api/terms/${(made as { _id: string })._id}`]],
  }
  const saved: typeof created = {
    call: saveTerms,
    body: revised,
    shown: ({ id }) => [['staff', `/desk/api/terms/${id}`]],
  }
  const settings: Pick<StoredText, 'call' | 'shown'> = {
    call: changeWorkspace,
    shown: () => [['staff', '/desk/api/workspace']],
  }
  return [
    ...[created, saved].flatMap((call): StoredText[] => [
      { ...call, fields: ['name', 'tickbox_text'] },
      { ...call, fields: ['template'], normalise: (text) => cleanTermsHtml(withParagraphs(text)) },
    ]),
    {
      ...settings,
      fields: ['name'],
      body: async () => ({ ...(await section('brand')), accent: '#123456', support_email: null }),
    },
    {
      ...settings,
      fields: ['vendors.0', 'departments.0'],
      body: async () => {
        // Clears the list, since saved names stay on it and the texts would exceed its maximum.
        await owner.query(`update workspaces set vendors = '{}', departments = '{}' where workspace_id = $1`, [
          system.workspaceId,
        ])
        return { ...(await section('lists')), vendors: [], departments: [] }
      },
    },
    {
      ...settings,
      fields: ['archived_vendors.0', 'archived_departments.0'],
      body: async () => {
        await owner.query(
          `update workspaces set settings = settings - 'archived_vendors' - 'archived_departments', vendors = '{}', departments = '{}'
           where workspace_id = $1`,
          [system.workspaceId],
        )
        return { ...(await section('lists')), vendors: [], departments: [] }
      },
    },
    {
      ...settings,
      fields: ['vendor_settings.0.name', 'vendor_settings.0.departments.0'],
      body: async () => {
        await owner.query(`update workspaces set vendors = '{Marina}' where workspace_id = $1`, [system.workspaceId])
        const own = { vendor: 'Marina', name: null, accent: null, support_email: null, default_currency: null }
        return { ...(await section('vendors')), vendor_settings: [{ ...own, departments: null }] }
      },
    },
    {
      ...settings,
      fields: ['taxonomies.0.entries.0.name'],
      body: async () => {
        await owner.query(
          `update workspaces set settings = jsonb_set(settings, '{taxonomies}', '{"document": []}') where workspace_id = $1`,
          [system.workspaceId],
        )
        const taxonomies = [{ entity: 'document', entries: [{ key: null, name: 'Late', archived: false }] }]
        return { ...(await section('taxonomies')), taxonomies }
      },
    },
  ]
}
