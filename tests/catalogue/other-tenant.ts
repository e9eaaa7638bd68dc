import type pg from 'pg'
import { preferenceColumns } from '../../server/members/member-columns.ts'

/**
 * The rows of the other tenant: their ids, and a canary word in every text column that only their owner may read. A new table
 * or column is included automatically.
 */
export type OtherTenant = {
  workspaceId: string
  memberId: string
  /** Ids of the member's own rows, by `table.column`. */
  ownIds: Map<string, string>
  /** Ids of rows that belong to the whole workspace. */
  sharedIds: Map<string, string>
  /** Numbers and names that find the member's rows by search. */
  words: string[]
}

export type Column = {
  table: string
  column: string
  type: string
  is_key: boolean
  owned: boolean
  /** In a row of the member, but the name of something that belongs to the whole workspace. */
  names_shared: boolean
}

/** Columns that the program's logic reads; a canary there would make the row invalid. */
const deciding =
  /^(status|state|type|kind|currency|role|purpose|actor_kind|event|storage_key|priority|rejection_reason|subdomain|accent|country_code|permissions|vendors|departments|predefined_type|changes|subject_kind|request_id|bucket|extension|content_type|email)$/

const chosen: readonly string[] = preferenceColumns
const isDeciding = (column: string): boolean => deciding.test(column) || chosen.includes(column)

export const canaryMark = 'canary'

/** From the catalogue itself: the views of `information_schema` take a hundred times as long. */
export async function columnsOf(owner: Pick<pg.Client, 'query'>): Promise<Column[]> {
  const found = await owner.query<Column>(`
    select t.relname as table, c.attname as column, type.typname as type,
      exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary and c.attnum = any (i.indkey)) as is_key,
      exists (select from pg_attribute m where m.attrelid = t.oid and m.attname = 'member_id') as owned,
      exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = t.oid and c.attnum = any (f.conkey)
        and not exists (select from pg_attribute m where m.attrelid = f.confrelid and m.attname = 'member_id')
      ) as names_shared
    from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      join pg_type type on type.oid = c.atttypid
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p', 'v') order by 1, 2`)
  return found.rows
}

export async function markOtherTenant(
  owner: pg.Client,
  { workspaceId, memberId }: { workspaceId: string; memberId: string },
): Promise<OtherTenant> {
  const columns = await columnsOf(owner)
  const [ownIds, sharedIds] = [new Map<string, string>(), new Map<string, string>()]
  for (const { table, column, type, is_key, owned, names_shared } of columns) {
    if (type !== 'uuid' || !is_key || column === 'workspace_id' || (owned && names_shared)) continue
    // Files differ in purpose and attachment, deposits differ from withdrawals; in other tables one row represents all.
    const rowsMax = { media: 5, balance_transactions: 3 }[table] ?? 1
    const whose = owned ? ' and member_id = $2' : ''
    const rows = await owner.query<{ id: string }>(
      `select ${column} as id from ${table} where workspace_id = $1${whose} order by 1 desc limit ${rowsMax}`,
      owned ? [workspaceId, memberId] : [workspaceId],
    )
    for (const [index, { id }] of rows.rows.entries())
      (owned ? ownIds : sharedIds).set(`${table}.${column}${index > 0 ? ` (${index + 1})` : ''}`, id)
  }
  await writeCanaries(owner, columns, { workspaceId, memberId })
  const words = await owner.query<{ word: string }>(
    `select platform_login as word from trading_accounts where workspace_id = $1 and member_id = $2
     union select ticket::text from balance_transactions where workspace_id = $1 and member_id = $2
     union select number::text from tickets where workspace_id = $1 and member_id = $2
     union select customer_number from members where workspace_id = $1 and member_id = $2`,
    [workspaceId, memberId],
  )
  return { workspaceId, memberId, ownIds, sharedIds, words: words.rows.map(({ word }) => word) }
}

/** Bypasses triggers, which freeze some columns, but not checks: a column limited to certain words holds no secret. */
async function writeCanaries(
  owner: pg.Client,
  columns: Column[],
  { workspaceId, memberId }: { workspaceId: string; memberId: string },
): Promise<void> {
  await owner.query('begin')
  await owner.query('set local session_replication_role = replica')
  for (const { table, column, type, owned } of columns) {
    if (!owned || !/^_?text$/.test(type) || isDeciding(column)) continue
    const word = `'${canaryMark}-${table}-${column}-' || substr(md5(random()::text), 1, 6)`
    await owner.query('savepoint before')
    await owner
      .query(
        `update ${table} set ${column} = ${type === '_text' ? `array[${word}]` : word} where workspace_id = $1 and member_id = $2`,
        [workspaceId, memberId],
      )
      .catch(() => owner.query('rollback to before'))
  }
  // A number that no other sequence reaches.
  await owner.query(
    'update balance_transactions set ticket = 770000000 + ticket where workspace_id = $1 and member_id = $2',
    [workspaceId, memberId],
  )
  await owner.query('update tickets set number = 880000000 + number where workspace_id = $1 and member_id = $2', [
    workspaceId,
    memberId,
  ])
  await owner.query('commit')
}

/** All rows of the other tenant, to verify that none of them changed. */
export async function pictureOf(owner: pg.Client, otherTenant: OtherTenant): Promise<Record<string, unknown[]>> {
  const tables = [...new Set((await columnsOf(owner)).filter(({ owned }) => owned).map(({ table }) => table))]
  const found: Record<string, unknown[]> = {}
  for (const table of tables) {
    const rows = await owner.query(
      `select to_jsonb(t) as row from ${table} t where workspace_id = $1 and member_id = $2 order by to_jsonb(t)::text`,
      [otherTenant.workspaceId, otherTenant.memberId],
    )
    found[table] = rows.rows.map(({ row }) => row)
  }
  return found
}

export function canariesIn(text: string): string[] {
  return [...new Set(text.match(new RegExp(`${canaryMark}-[a-z_]+-[a-z_0-9]+-[0-9a-f]{6}`, 'g')) ?? [])]
}

/**
 * Rows of other owners that contain an id of the other tenant in any column, and so have linked to it. Excludes the audit
 * log, which records what staff queried.
 */
export async function rowsNaming(owner: pg.Client, { workspaceId, memberId, ownIds }: OtherTenant): Promise<string[]> {
  const tables = [
    ...new Set(
      (await columnsOf(owner)).filter(({ table, owned }) => owned && table !== 'audit_log').map(({ table }) => table),
    ),
  ]
  const ids = [...ownIds.values()]
  const found: string[] = []
  for (const table of tables) {
    const rows = await owner.query<{ id: string; row: string }>(
      `select id, t::text as row from ${table} t, unnest($3::text[]) as id
       where (workspace_id, member_id) is distinct from ($1::uuid, $2::uuid) and strpos(t::text, id) > 0 order by 1, 2`,
      [workspaceId, memberId, ids],
    )
    for (const { id, row } of rows.rows) found.push(`${table}: ${id} in ${row}`)
  }
  return found
}
