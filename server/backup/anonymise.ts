import type pg from 'pg'
import { migrationFiles } from '../foundation/database/migrate.ts'
import { withConnection } from './connection.ts'
import { copyTables } from './copy-tables.ts'
import { listGuards, refuseOtherPrograms } from './guards.ts'
import { BackupProblem } from './problem.ts'
import { leftOut, listMigrations, listTables, quoted } from './tables.ts'

/** The required ending of a copy's name, so that no production database is anonymised by mistake. */
const copyName = /_copy$/

/** Triggers of the member search; they rebuild the search words from the changed rows. */
const wordTriggers = ['member_words', 'account_words']

export type Anonymised = { database: string; rows_removed: number; rows_changed: number }

/**
 * Removes personal data and secrets from a copy of a database; amounts, states, times and relations stay. Runs in one
 * transaction, and afterwards no file of the database holds the old values.
 */
export function anonymiseCopy(databaseUrl: string, named: string): Promise<Anonymised> {
  return withConnection(databaseUrl, 'atrium anonymise', async (client) => {
    await refuseOther(client, named)
    await refuseOtherPrograms(client)
    await refuseOtherVersion(client)
    const counted = await changeEverything(client)
    await clearAway(client)
    return { database: named, ...counted }
  })
}

async function refuseOther(client: pg.Client, named: string): Promise<void> {
  if (!copyName.test(named))
    throw new BackupProblem(`${named} is not the name of a copy: it must end in _copy. Nothing was changed.`)
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  if (rows[0]?.name !== named)
    throw new BackupProblem(`DATABASE_URL is the address of ${rows[0]?.name}, not of ${named}. Nothing was changed.`)
}

/** The rules apply to the columns of this version only. */
async function refuseOtherVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('atrium_meta.migrations') is not null as is_there`,
  )
  const found = rows[0]?.is_there ? (await listMigrations(client)).map(({ name }) => name) : []
  const due = migrationFiles()
  if (found.length !== due.length || found.some((name) => !due.includes(name)))
    throw new BackupProblem(
      'This database has another version. Restore a backup to it with this version, which migrates it.',
    )
}

/** Old row versions stay in the files until a full vacuum, and sample values stay in the statistics. */
async function clearAway(client: pg.Client): Promise<void> {
  const tables = [...Object.keys(copyTables), ...leftOut].map(quoted)
  await client.query(`vacuum (full, analyze) ${tables.join(', ')}`)
  await client.query('vacuum (full) pg_catalog.pg_statistic')
}

type Counted = Omit<Anonymised, 'database'>

async function changeEverything(client: pg.Client): Promise<Counted> {
  await client.query('begin')
  try {
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await client.query(`set local lock_timeout = '10s'`)
    await refuseUndecided(client)
    const { before, after } = await listGuards(client, { stay: wordTriggers })
    for (const statement of before) await client.query(statement)
    const counted = await changeTables(client)
    await client.query(forgeChain)
    await emptyQueue(client)
    await client.query('set constraints all immediate')
    for (const statement of after) await client.query(statement)
    await client.query('commit')
    return counted
  } catch (problem) {
    // After a lost connection the rollback fails too; the original error matters.
    await client.query('rollback').catch(() => undefined)
    throw problem
  }
}

async function refuseUndecided(client: pg.Client): Promise<void> {
  const undecided = (await listTables(client)).find(({ name }) => !copyTables[name])
  if (undecided) throw new BackupProblem(`No rule says what a copy keeps of ${undecided.name}.`)
}

async function changeTables(client: pg.Client): Promise<Counted> {
  const counted = { rows_removed: 0, rows_changed: 0 }
  const gone = Object.entries(copyTables).flatMap(([table, { do: what }]) => (what === 'remove' ? [table] : []))
  for (const table of [...leftOut, ...gone])
    counted.rows_removed += (await client.query(`delete from ${quoted(table)}`)).rowCount ?? 0
  for (const [table, inCopy] of Object.entries(copyTables)) {
    if (inCopy.do !== 'keep' || !inCopy.changed) continue
    const sets = Object.entries(inCopy.changed).map(([column, value]) => `${quoted(column)} = ${value}`)
    counted.rows_changed += (await client.query(`update ${quoted(table)} set ${sets.join(', ')}`)).rowCount ?? 0
  }
  return counted
}

/** Rebuilds the chain as forge_audit_link would for the reduced entries, so that the copy's chain verifies. */
const forgeChain = `do $$
  declare
    link audit_links;
    entry audit_log;
    workspace uuid;
    previous bytea;
    details bytea;
  begin
    for link in select * from audit_links order by workspace_id, position loop
      if workspace is distinct from link.workspace_id then previous := ''; end if;
      workspace := link.workspace_id;
      select * into entry from audit_log where workspace_id = link.workspace_id and audit_id = link.audit_id;
      details := audit_details_hash(entry);
      previous := audit_link_hash(previous, entry, details);
      update audit_links set details_hash = details, hash = previous
        where workspace_id = link.workspace_id and position = link.position;
    end loop;
  end $$`

/** Jobs contain personal data, and are rebuilt from the tables. */
async function emptyQueue(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(`select to_regclass('pgboss.job') is not null as is_there`)
  if (rows[0]?.is_there) await client.query('delete from pgboss.job')
}
