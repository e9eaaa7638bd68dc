import type pg from 'pg'
import { BackupProblem } from './problem.ts'
import { quoted } from './tables.ts'

/** Statements that disable guards before rows are written, and those that enable them again. */
type Guards = { before: string[]; after: string[] }

/**
 * Disables row security, which would hide rows from the owner, and triggers, which would treat restored or removed rows
 * as actions of a person. Triggers named in `stay` remain active.
 */
export async function listGuards(client: pg.Client, { stay = [] }: { stay?: readonly string[] } = {}): Promise<Guards> {
  const { rows: forced } = await client.query<{ tab: string }>(
    `select oid::regclass::text as tab from pg_class
     where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
  )
  const { rows: triggers } = await client.query<{ tab: string; name: string }>(
    `select tgrelid::regclass::text as tab, tgname::text as name from pg_trigger
     where not tgisinternal and tgparentid = 0 and tgenabled = 'O' and tgname <> all ($1)
       and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
    [stay],
  )
  return {
    before: [
      ...forced.map(({ tab }) => `alter table ${tab} no force row level security`),
      ...triggers.map(({ tab, name }) => `alter table ${tab} disable trigger ${quoted(name)}`),
    ],
    after: [
      ...triggers.map(({ tab, name }) => `alter table ${tab} enable trigger ${quoted(name)}`),
      ...forced.map(({ tab }) => `alter table ${tab} force row level security`),
    ],
  }
}

/** Circular foreign keys allow no load order; they are dropped and checked when added again. */
export async function listKeys(client: pg.Client): Promise<Guards> {
  const { rows } = await client.query<{ tab: string; name: string; definition: string }>(
    `select conrelid::regclass::text as tab, conname::text as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  return {
    before: rows.map(({ tab, name }) => `alter table ${tab} drop constraint ${quoted(name)}`),
    after: rows.map(({ tab, name, definition }) => `alter table ${tab} add constraint ${quoted(name)} ${definition}`),
  }
}

/**
 * Indexes that belong to no constraint: maintaining them row by row takes most of the load time, rebuilding them a
 * fraction. Those of partitioned tables stay, since each is a set of one per partition.
 */
export async function listIndexes(client: pg.Client): Promise<Guards> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class t on t.oid = i.indrelid
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and not t.relispartition and i.indisvalid
       and not i.indisreplident and not exists (select from pg_constraint where conindid = i.indexrelid and contype <> 'f')`,
  )
  return {
    before: rows.map(({ name }) => `drop index ${name}`),
    after: rows.map(({ definition }) => definition),
  }
}

/** Refuses other programs: a running one would answer from an incomplete database. */
export async function refuseOtherPrograms(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null and leader_pid is null`,
  )
  if (rowCount)
    throw new BackupProblem(
      'Another program is connected to this database: stop every Atrium process that uses it first.',
    )
}
