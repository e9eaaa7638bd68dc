import type pg from 'pg'

/**
 * Tables not backed up: unfinished uploads, and the transaction numbers used for the replica, which are meaningless on
 * another server.
 */
export const leftOut = ['uploads', 'member_writes', 'staff_writes']

/** The columns that name files and their hashes. A test compares them with the catalogue. */
export const fileColumns = [
  { table: 'media', key: 'storage_key', sha256: 'sha256' },
  { table: 'media', key: 'small_key', sha256: null },
  { table: 'platform_files', key: 'storage_key', sha256: 'sha256' },
  { table: 'staff_pictures', key: 'storage_key', sha256: 'sha256' },
] as const

export type Table = { name: string; columns: string[] }

/** Tables with their writable columns, from the catalogue; a partitioned table only once. */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1)
     group by c.relname order by c.relname`,
    [leftOut],
  )
  return rows
}

export async function listMigrations(client: pg.Client): Promise<{ name: string; sha256: string }[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from atrium_meta.migrations order by name',
  )
  return rows
}

/** Row security applies to the owner too, so reads are scoped to one workspace as the system actor. */
export function scopeTo(client: pg.Client, workspaceId: string): Promise<unknown> {
  return client.query(
    `select set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', 'system', true)`,
    [workspaceId],
  )
}

export async function listWorkspaceIds(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select list_workspace_ids() as id')
  return rows.map(({ id }) => id)
}

/** Quotes a name from the catalogue for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Object names in an archive have no underscores. */
export const archiveName = (table: string): string => table.replaceAll('_', '-')
