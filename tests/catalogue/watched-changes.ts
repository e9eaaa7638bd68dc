import assert from 'node:assert/strict'
import type pg from 'pg'

export type Entry = { actor_kind: string; actor_id: string | null; action: string }
/** One transaction: the tables it changed, and its audit log entries. */
export type Change = { tables: string[]; entries: Entry[] }

/** Rate-limit attempts are counted in a separate transaction, so that a failed guess stays counted. */
const unwatched = ['rate_limits']

/** Records changes in every table from here on, including deletions; a new table is covered automatically. */
export async function watchEveryTable(owner: pg.Client): Promise<void> {
  const tables = await owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  assert.ok(tables.rows.length > 30)
  await owner.query(`
    create table observed (txid text, name text, entry jsonb, row jsonb);
    create function observe() returns trigger language plpgsql security definer set search_path = public as $$ begin
      insert into observed values (txid_current()::text, tg_table_name,
        case when tg_table_name = 'audit_log' and tg_op = 'INSERT' then to_jsonb(new) end,
        case when tg_op <> 'DELETE' then to_jsonb(new) end);
      return null;
    end $$;
    create function fail_at_commit() returns trigger language plpgsql as $$ begin raise 'the power went'; end $$`)
  for (const { name } of tables.rows.filter((table) => !unwatched.includes(table.name)))
    await owner.query(`create trigger zz_observe after insert or update or delete on ${name}
      for each row execute function observe()`)
}

/** Everything committed since the last call. */
export async function changesSince(owner: pg.Client): Promise<Change[]> {
  const found = await owner.query<Change>(`
    select array_agg(distinct name order by name) as tables,
      coalesce(jsonb_agg(entry) filter (where entry is not null), '[]') as entries
    from observed group by txid`)
  await owner.query('delete from observed')
  return found.rows
}

/** From here on, a commit that would write an audit entry fails, as in a power cut at that moment. */
export function breakCommits(owner: pg.Client): Promise<unknown> {
  return owner.query(`create constraint trigger zz_fail after insert on audit_log deferrable initially deferred
    for each row execute function fail_at_commit()`)
}

export function restoreCommits(owner: pg.Client): Promise<unknown> {
  return owner.query('drop trigger zz_fail on audit_log')
}
