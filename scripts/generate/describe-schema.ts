import pg from 'pg'

/**
 * The schema after all migrations, read from the catalogue: for reviewers of a migration and for the check that it has
 * the intended effect. The output is deterministic; it is not meant to be run as SQL.
 */
export async function describeSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const names = await column(
      client,
      'select relname as line from pg_class where relnamespace = $1::regnamespace and relkind = $2 order by relname',
      ['public', 'r'],
    )
    const tables: string[] = []
    for (const name of names) tables.push(await describeTable(client, name))
    const functions = await column(client, functionsSql)
    const head = '-- The schema as the migrations leave it. Written by npm run generate; for reading, not for running.'
    return `${[head, ...functions, ...tables].join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

async function column(client: pg.Client, sql: string, values: unknown[] = []): Promise<string[]> {
  return (await client.query<{ line: string }>(sql, values)).rows.map((row) => row.line)
}

async function describeTable(client: pg.Client, name: string): Promise<string> {
  const lines: string[] = []
  for (const sql of [columnsSql, constraintsSql])
    lines.push(...(await column(client, sql, [name])).map((line) => `  ${line},`))
  const besides: string[] = []
  for (const sql of [indexesSql, securitySql, policiesSql, grantsSql, triggersSql])
    besides.push(...(await column(client, sql, [name])))
  const body = lines.join('\n').replace(/,$/, '')
  return [`create table ${name} (`, body, ');', ...besides.map((line) => `${line};`)].join('\n')
}

const columnsSql = `
  select format('%I %s%s%s', attname, format_type(atttypid, atttypmod),
    coalesce(' default ' || pg_get_expr(adbin, adrelid), ''), case when attnotnull then ' not null' else '' end) as line
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`

const constraintsSql = `
  select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line
  from pg_constraint where conrelid = $1::regclass and contype <> 'n' order by contype, conname`

/** Indexes of constraints are left out: the constraints are listed already. */
const indexesSql = `
  select replace(pg_get_indexdef(indexrelid), 'public.', '') as line from pg_index join pg_class on pg_class.oid = indexrelid
  where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
  order by relname`

const securitySql = `
  select format('alter table %s %s row level security', relname, verb) as line
  from pg_class, lateral (values (relrowsecurity, 'enable'), (relforcerowsecurity, 'force')) as state (is_on, verb)
  where oid = $1::regclass and is_on`

const policiesSql = `
  select format('create policy %I on %I%s for %s%s%s%s', policyname, tablename,
    case when permissive = 'RESTRICTIVE' then ' as restrictive' else '' end, lower(cmd),
    case when roles = array['public'::name] then '' else ' to the owner' end,
    coalesce(' using ' || regexp_replace(qual, '\\s+', ' ', 'g'), ''),
    coalesce(' with check ' || regexp_replace(with_check, '\\s+', ' ', 'g'), '')) as line
  from pg_policies where schemaname = 'public' and tablename = $1 order by policyname`

const grantsSql = `
  select format('grant %s on %I to %I', lower(string_agg(privilege_type, ', ' order by privilege_type)), table_name, grantee) as line
  from information_schema.role_table_grants where table_schema = 'public' and table_name = $1 and grantee = 'atrium_program'
  group by table_name, grantee`

const triggersSql = `
  select replace(pg_get_triggerdef(oid), 'public.', '') as line
  from pg_trigger where tgrelid = $1::regclass and not tgisinternal order by tgname`

const functionsSql = `
  select trim(trailing e'\\n' from replace(pg_get_functiondef(oid), 'public.', '')) || ';' as line
  from pg_proc where pronamespace = 'public'::regnamespace order by proname, oidvectortypes(proargtypes)`
