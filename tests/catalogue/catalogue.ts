import type pg from 'pg'

/** The parts of a schema that a running program relies on, as normalised lines. */
export type Catalogue = {
  tables: Set<string>
  /** By `table.column`: type, whether a value is required, and whether it is nullable. */
  columns: Map<string, { type: string; mustBeGiven: boolean; isNullable: boolean }>
  /** Everything that can refuse a row: checks, keys, exclusions, unique indexes, triggers. By table, then by definition. */
  guards: Map<string, Set<string>>
  policies: Map<string, Set<string>>
  functions: Set<string>
  /** `role privilege table`. */
  grants: Set<string>
}

type Row = { name: string; what: string }

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const rows = async (text: string): Promise<Row[]> => (await client.query<Row>(text)).rows
  const columns = await client.query<{ name: string; type: string; is_nullable: boolean; has_default: boolean }>(
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       not a.attnotnull as is_nullable, (a.atthasdef or a.attidentity <> '') as has_default
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  )
  return {
    tables: new Set((await rows(tablesText)).map(({ name }) => name)),
    columns: new Map(
      columns.rows.map(({ name, type, is_nullable: isNullable, has_default: hasDefault }) => [
        name,
        { type, isNullable, mustBeGiven: !isNullable && !hasDefault },
      ]),
    ),
    guards: byName(await rows(guardsText)),
    policies: byName(await rows(policiesText)),
    functions: new Set((await rows(functionsText)).map(({ what }) => what)),
    grants: new Set((await rows(grantsText)).map(({ what }) => what)),
  }
}

function byName(rows: readonly Row[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { name, what } of rows) found.set(name, (found.get(name) ?? new Set()).add(what))
  return found
}

const tablesText = `select relname as name, '' as what from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`

const guardsText = `
  select conrelid::regclass::text as name, pg_get_constraintdef(oid) as what from pg_constraint
    where connamespace = 'public'::regnamespace and contype not in ('n', 't') and conrelid <> 0
  union all select indrelid::regclass::text, regexp_replace(pg_get_indexdef(indexrelid), ' INDEX \\S+ ON ', ' INDEX ON ')
    from pg_index join pg_class on pg_class.oid = indexrelid where indisunique and relnamespace = 'public'::regnamespace
  union all select tgrelid::regclass::text, pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger join pg_class on pg_class.oid = tgrelid where not tgisinternal and relnamespace = 'public'::regnamespace`

/** The owner's policies are left out: the program never runs as the owner. */
const policiesText = `select tablename as name, concat_ws(' ', policyname, permissive, cmd, roles::text, qual, with_check) as what
  from pg_policies where schemaname = 'public' and roles && array['public', 'atrium_program']::name[]`

const functionsText = `select '' as name, proname || '(' || pg_get_function_identity_arguments(oid) || ') ' || pg_get_function_result(oid) as what
  from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'`

const grantsText = `select '' as name, concat_ws(' ', grantee, privilege_type, table_name, column_name) as what
    from information_schema.column_privileges where table_schema = 'public' and grantee = 'atrium_program'`

/**
 * The changes that break a program written for `before` when it runs on `after`: missing or changed reads, refused writes.
 * New tables, optional columns and wider rights break nothing.
 */
export function narrowings(before: Catalogue, after: Catalogue): string[] {
  const isOld = (table: string): boolean => before.tables.has(table)
  const gone = (what: string, old: Iterable<string>, now: Set<string> | Map<string, unknown>): string[] =>
    [...old].filter((name) => !now.has(name)).map((name) => `${what} is gone: ${name}`)
  const changed = [...before.columns].flatMap(([name, old]) => {
    const now = after.columns.get(name)
    if (!now) return []
    if (now.type !== old.type) return [`column has another type: ${name}, ${old.type} was and ${now.type} is`]
    if (old.isNullable && !now.isNullable) return [`column may not be empty any more: ${name}`]
    return old.mustBeGiven || !now.mustBeGiven ? [] : [`column has to be given: ${name}`]
  })
  const added = [...after.columns].flatMap(([name, { mustBeGiven }]) =>
    isOld(name.split('.')[0] ?? '') && !before.columns.has(name) && mustBeGiven
      ? [`column has to be given: ${name}`]
      : [],
  )
  return [
    ...gone('table', before.tables, after.tables),
    ...gone('column', before.columns.keys(), after.columns),
    ...changed,
    ...added,
    ...gone('function', before.functions, after.functions),
    ...gone('right', before.grants, after.grants),
    ...differing('rows are refused by', before.guards, after.guards, isOld, 'added'),
    ...differing('row security differs', before.policies, after.policies, isOld, 'either'),
  ].sort()
}

function differing(
  rule: string,
  before: Map<string, Set<string>>,
  after: Map<string, Set<string>>,
  isOld: (table: string) => boolean,
  which: 'added' | 'either',
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(isOld).flatMap((table) => {
    const [old, now] = [before.get(table) ?? new Set<string>(), after.get(table) ?? new Set<string>()]
    const isWider = (each: string): boolean => [...old.difference(now)].some((was) => widens(was, each))
    const found =
      which === 'added'
        ? [...now].filter((each) => !old.has(each) && !isWider(each))
        : [...now.symmetricDifference(old)]
    return found.map((each) => `${rule}: ${table}, ${each}`)
  })
}

/** Whether the new check accepts everything that the old one does: a list of words, or a length. */
function widens(was: string, is: string): boolean {
  const [one, other] = [readCheck(was), readCheck(is)]
  if (!one || one.about !== other?.about) return false
  if ('words' in one) return 'words' in other && one.words.every((word) => other.words.includes(word))
  return !('words' in other) && other.least <= one.least && other.most >= one.most
}

type Check = { about: string } & ({ words: string[] } | { least: number; most: number })

function readCheck(definition: string): Check | null {
  const listed = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(definition)
  if (listed) return { about: `${listed[1]}`, words: (listed[2] ?? '').split(', ') }
  const length = /^CHECK \(\(\((length\(\w+\)) >= (\d+)\) AND \(\1 <= (\d+)\)\)\)$/.exec(definition)
  return length && { about: `${length[1]}`, least: Number(length[2]), most: Number(length[3]) }
}
