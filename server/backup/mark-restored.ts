import { withConnection } from './connection.ts'
import { refuseOtherPrograms } from './guards.ts'
import { listWorkspaceIds, scopeTo } from './tables.ts'

/** A backup of an older version lacks this column; its migration then finds it present. */
export const addMoment = 'alter table workspaces add column if not exists restored_at timestamptz'

/** So that a session ended since the backup, for instance by a new password, is not open again. */
export const endSessions = 'update sessions set ended_at = now() where ended_at is null'

/** So that a link used or replaced since the backup sets no password again; staff send invitations anew. */
export const closeLinks =
  'update password_resets set superseded_at = now() where used_at is null and superseded_at is null'

/** Records the restore time, ends all sessions and closes all reset links for a database restored by another tool. No program may run on it yet. */
export function markRestored(databaseUrl: string, now: Date): Promise<{ workspaces: number }> {
  return withConnection(databaseUrl, 'atrium restore', async (client) => {
    await refuseOtherPrograms(client)
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await client.query(addMoment)
    const workspaces = await listWorkspaceIds(client)
    for (const workspace of workspaces) {
      await scopeTo(client, workspace)
      await client.query('update workspaces set restored_at = $2 where workspace_id = $1', [workspace, now])
      await client.query(endSessions)
      await client.query(closeLinks)
    }
    await client.query('commit')
    return { workspaces: workspaces.length }
  })
}
