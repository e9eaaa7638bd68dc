import type { WorkspaceSection } from '@atrium/contract/workspaces/desk-calls.ts'
import { z } from 'zod'
import type { Staff, System } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'

export type Values = Record<string, unknown>

export type Kept = { columns?: Values; settings?: Values }

/** By section. One that a newer version of Atrium knows, beside this one or before it was put back, is kept. */
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

/** Writes what is named, and leaves every other setting as it was written. */
export async function store(tx: Tx, actor: Staff | System, { columns = {}, settings = {} }: Kept): Promise<void> {
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

/** Counts a section up, so that whoever has the one before open is told. `by`: null where it was nobody at the desk. */
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
