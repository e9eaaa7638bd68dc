import type { WorkspaceSection } from '@atrium/contract/workspace-settings/desk-calls.ts'
import { z } from 'zod'
import type { Staff, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

export type Values = Record<string, unknown>

export type StoredValues = { columns?: Values; settings?: Values }

/** By section. Sections that only a newer version of Atrium knows are kept. */
const versionsShape = z.record(
  z.string(),
  z.object({ version: z.int(), by: z.string().nullable(), at: z.int().nullable() }),
)

export async function lockWorkspace(tx: Tx, actor: Staff | System): Promise<void> {
  await tx
    .selectFrom('workspaces')
    .select('workspace_id')
    .where('workspace_id', '=', actor.workspaceId)
    .forNoKeyUpdate()
    .execute()
}

/** Stores the given values and keeps all others. */
export async function store(
  tx: Tx,
  actor: Staff | System,
  { columns = {}, settings = {} }: StoredValues,
): Promise<void> {
  const row = await tx
    .selectFrom('workspaces')
    .select('settings')
    .where('workspace_id', '=', actor.workspaceId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('workspaces')
    .set({ ...columns, settings: JSON.stringify({ ...(row.settings as Values), ...settings }) })
    .where('workspace_id', '=', actor.workspaceId)
    .execute()
}

/** Increments a section's version, so that an outdated form is refused. `by`: null for the system. */
export async function nextVersion(
  tx: Tx,
  actor: Staff | System,
  section: WorkspaceSection,
  by: string | null,
): Promise<void> {
  const versions = await readVersions(tx, actor)
  const version = (versions[section]?.version ?? 0) + 1
  await writeVersions(tx, actor, { ...versions, [section]: { version, by, at: actor.context.clock.now().getTime() } })
}

export async function readVersions(tx: Tx, actor: Staff | System): Promise<z.output<typeof versionsShape>> {
  const row = await tx
    .selectFrom('workspaces')
    .select('versions')
    .where('workspace_id', '=', actor.workspaceId)
    .executeTakeFirstOrThrow()
  return versionsShape.parse(row.versions)
}

async function writeVersions(tx: Tx, actor: Staff | System, versions: z.output<typeof versionsShape>): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ versions: JSON.stringify(versions) })
    .where('workspace_id', '=', actor.workspaceId)
    .execute()
}
