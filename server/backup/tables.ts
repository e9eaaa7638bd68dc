import type pg from 'pg'

/**
 * What is not worth keeping: uploads that are still coming in parts, and what a copy of the database is asked for, which are
 * numbers of this very server.
 */
export const leftOut = ['uploads', 'member_writes', 'staff_writes']

/** Where files are named, and where it stands what they must hash to. A test holds it against the catalogue. */
export const fileColumns = [
  { table: 'media', key: 'storage_key', sha256: 'sha256' },
  { table: 'media', key: 'small_key', sha256: null },
  { table: 'platform_files', key: 'storage_key', sha256: 'sha256' },
  { table: 'staff_pictures', key: 'storage_key', sha256: 'sha256' },
] as const

export type Table = { name: string; columns: string[] }

/** Tables with the columns that can be written, as the catalogue has them; of one in partitions only the whole. */
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

/** Row security holds for the owner as well: what is read belongs to one workspace, and is read as the program itself. */
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

/** Names as they stand in SQL; they come from the catalogue. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Names of objects in an archive know no underscore. */
export const archiveName = (table: string): string => table.replaceAll('_', '-')
