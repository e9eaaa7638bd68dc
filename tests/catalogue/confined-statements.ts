import { readFileSync } from 'node:fs'
import { fingerprint, parse } from 'libpg-query'

/** Statements of the row security tests, which omit the workspace intentionally. */
const forgetful = [
  /^select "member_id" from "members"$/,
  /^select distinct "workspace_id" from "members"$/,
  /^select \* from members$/,
  /^select from workspaces$/,
  /^update "members" set "title" = \$1 where "member_id" = \$2$/,
]

export type Judged = { statements: number; onTables: number; problems: string[] }

/** Judges statements; those that differ only in values are judged once. */
export async function judgeStatements(texts: Iterable<string>): Promise<Judged> {
  const distributed = distributedTables()
  const byPrint = new Map<string, string>()
  for (const text of texts) byPrint.set(await fingerprint(text), text)
  const judged: Judged = { statements: byPrint.size, onTables: 0, problems: [] }
  for (const text of byPrint.values()) {
    const { tables, loose } = await readConfinement(text, distributed)
    if (tables.length > 0) judged.onTables += 1
    if (loose.length === 0 || forgetful.some((known) => known.test(text))) continue
    judged.problems.push(`${loose.join(', ')} not held to a workspace in: ${text.replace(/\s+/g, ' ')}`)
  }
  return judged
}

/** Every table of ours: the catalogue's test checks that each has a key that begins with the workspace. */
export function distributedTables(): Set<string> {
  const schema = readFileSync(new URL('../../server/migrations/schema.sql', import.meta.url), 'utf8')
  return new Set([...schema.matchAll(/^create table (\w+)/gim)].map(([, name]) => String(name)))
}

/**
 * Whether a statement itself names its workspace: for each table with workspaces, its `workspace_id` equals a value, or that
 * of another confined table. Row security hides other workspaces either way, but a distributing database routes by the
 * statement alone.
 */
export type Confinement = {
  /** The tables in the statement, in order; without other schemas and the catalogue. */
  tables: string[]
  /** The tables that nothing in the statement ties to a workspace. */
  loose: string[]
}

type Tree = Record<string, unknown>
/** The source of a name in FROM: the place of its `workspace_id`, or null if it has none. */
type Source = { place: number | null }
type Scope = { sources: Map<string, Source>; named: Map<string, Source>; outer: Scope | null }

/** The place of a value from outside the tables. */
const value = 0
const column = 'workspace_id'

export async function readConfinement(text: string, distributed: ReadonlySet<string>): Promise<Confinement> {
  const { stmts = [] } = await parse(text)
  const reader = new StatementReader(distributed)
  for (const { stmt } of stmts) reader.readQuery(stmt as Tree, null)
  return reader.judge()
}

class StatementReader {
  readonly #distributed: ReadonlySet<string>
  readonly #found: { table: string; place: number }[] = []
  /** By place: the places that each certainly equals. */
  readonly #equals: number[][] = [[]]
  /** In the condition of an outer join: the places of the nullable side, which is tied to the other side but not vice versa. */
  #missing: ReadonlySet<number> | null = null

  constructor(distributed: ReadonlySet<string>) {
    this.#distributed = distributed
  }

  judge(): Confinement {
    const loose = this.#found.filter(({ place }) => !this.#isConfined(place))
    return { tables: this.#found.map(({ table }) => table), loose: loose.map(({ table }) => table) }
  }

  /** Reads one query including its subqueries; returns the place of the `workspace_id` that it outputs. */
  readQuery(node: Tree, outer: Scope | null): Source {
    const missing = this.#missing
    this.#missing = null
    const given = this.#read(node, outer)
    this.#missing = missing
    return given
  }

  #read(node: Tree, outer: Scope | null): Source {
    const [[kind, body] = ['', {}]] = Object.entries(node) as [string, Tree][]
    const scope: Scope = { sources: new Map(), named: new Map(), outer }
    for (const each of list(at(body, 'withClause', 'ctes'))) this.#readNamed(at(each, 'CommonTableExpr'), scope)
    if (kind === 'SelectStmt') return this.#readSelect(body, scope)
    if (kind === 'InsertStmt') return this.#readInsert(body, scope)
    if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return this.#readChange(body, scope)
    this.#readQueriesIn(body, scope)
    return { place: null }
  }

  /** A recursive WITH entry refers to itself: there its workspace is that of its starting query. */
  #readNamed(entry: Tree, scope: Scope): void {
    const name = String(entry.ctename)
    const place = this.#newPlace()
    scope.named.set(name, { place })
    const given = this.readQuery(at(entry, 'ctequery'), scope)
    if (given.place === null) scope.named.set(name, given)
    else this.#tie(place, given.place)
  }

  #readSelect(body: Tree, scope: Scope): Source {
    if (body.larg && body.rarg) {
      const left = this.readQuery({ SelectStmt: body.larg }, scope)
      const right = this.readQuery({ SelectStmt: body.rarg }, scope)
      // A set operation returns rows of both sides: confined only if each side is.
      return left.place === null || right.place === null ? { place: null } : { place: left.place }
    }
    for (const each of list(body.fromClause)) this.#readFrom(each, scope)
    this.#readCondition(body.whereClause, scope)
    this.#readQueriesIn({ ...body, fromClause: null, whereClause: null, withClause: null }, scope)
    return this.#given(list(body.targetList), scope)
  }

  #readChange(body: Tree, scope: Scope): Source {
    this.#readFrom({ RangeVar: body.relation }, scope)
    for (const each of [...list(body.fromClause), ...list(body.usingClause)]) this.#readFrom(each, scope)
    this.#readCondition(body.whereClause, scope)
    const { targetList, returningClause, returningList } = body
    this.#readQueriesIn({ targetList, returningClause, returningList }, scope)
    return this.#given(returned(body), scope)
  }

  #readInsert(body: Tree, scope: Scope): Source {
    this.#readFrom({ RangeVar: body.relation }, scope)
    const own = this.#resolve([], scope)
    const position = list(body.cols).findIndex((each) => at(each, 'ResTarget').name === column)
    if (body.selectStmt) this.#readInserted(at(body, 'selectStmt', 'SelectStmt'), { position, own, scope })
    const { onConflictClause, returningClause, returningList } = body
    this.#readQueriesIn({ onConflictClause, returningClause, returningList }, scope)
    return this.#given(returned(body), scope)
  }

  #readInserted(select: Tree, { position, own, scope }: { position: number; own: number | null; scope: Scope }): void {
    const rows = list(select.valuesLists)
    if (rows.length === 0) {
      const inner: Scope = { sources: new Map(), named: new Map(scope.named), outer: scope.outer }
      for (const each of list(at(select, 'withClause', 'ctes'))) this.#readNamed(at(each, 'CommonTableExpr'), inner)
      this.#readSelect(select, inner)
      const target = at(list(select.targetList)[position] ?? {}, 'ResTarget')
      this.#tieTo(own, this.#placeOf(at(target, 'val'), inner))
      return
    }
    this.#readQueriesIn(select, scope)
    const places = rows.map((row) => this.#placeOf(list(at(row, 'List', 'items'))[position] ?? {}, scope))
    if (places.every((place) => place !== null)) this.#tieTo(own, places[0] ?? null)
  }

  #readFrom(node: Tree, scope: Scope): void {
    if (node.RangeVar) this.#readTable(at(node, 'RangeVar'), scope)
    else if (node.JoinExpr) this.#readJoin(at(node, 'JoinExpr'), scope)
    else if (node.RangeSubselect) {
      const { subquery, alias } = at(node, 'RangeSubselect')
      scope.sources.set(aliasOf(alias) ?? '', this.readQuery(subquery as Tree, scope))
    } else this.#readQueriesIn(node, scope)
  }

  #readTable(table: Tree, scope: Scope): void {
    const name = String(table.relname)
    const alias = aliasOf(table.alias) ?? name
    const named = table.schemaname === undefined ? findNamed(name, scope) : null
    if (named) {
      scope.sources.set(alias, named)
      return
    }
    const isOurs = table.schemaname === undefined || table.schemaname === 'public'
    if (!isOurs || !this.#distributed.has(name)) return
    const place = this.#newPlace()
    this.#found.push({ table: name, place })
    scope.sources.set(alias, { place })
  }

  #readJoin(join: Tree, scope: Scope): void {
    const before = new Set(scope.sources.values())
    this.#readFrom(join.larg as Tree, scope)
    const left = [...scope.sources.values()].filter((source) => !before.has(source))
    this.#readFrom(join.rarg as Tree, scope)
    const right = [...scope.sources.values()].filter((source) => !before.has(source) && !left.includes(source))
    const missing = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: [] }[String(join.jointype)]
    this.#missing = missing ? new Set(missing.flatMap(({ place }) => place ?? [])) : null
    if (list(join.usingClause).some((each) => word(each) === column)) this.#tieTo(placeAmong(left), placeAmong(right))
    this.#readCondition(join.quals, scope)
    this.#missing = null
  }

  /** Reads the conditions that hold for every row: each part of an AND. OR, NOT and CASE tie nothing. */
  #readCondition(given: unknown, scope: Scope): void {
    if (!given) return
    const node = given as Tree
    if (at(node, 'BoolExpr').boolop === 'AND_EXPR') {
      for (const part of list(at(node, 'BoolExpr', 'args'))) this.#readCondition(part, scope)
      return
    }
    const equal = at(node, 'A_Expr')
    const isEqual = equal.kind === 'AEXPR_OP' && at(list(equal.name)[0] ?? {}, 'String').sval === '='
    if (isEqual) this.#readEqual(at(equal, 'lexpr'), at(equal, 'rexpr'), scope)
    const within = at(node, 'SubLink')
    if (within.subLinkType === 'ANY_SUBLINK' && within.testexpr && !within.operName) {
      this.#readWithin(within, scope)
      return
    }
    this.#readQueriesIn(node, scope)
  }

  #readEqual(left: Tree, right: Tree, scope: Scope): void {
    const [lefts, rights] = [list(at(left, 'RowExpr').args), list(at(right, 'RowExpr').args)]
    if (lefts.length > 0 && lefts.length === rights.length)
      for (const [index, each] of lefts.entries()) this.#readEqual(each, rights[index] ?? {}, scope)
    else this.#tieTo(this.#placeOf(left, scope), this.#placeOf(right, scope))
  }

  /** `(workspace_id, …) in (select workspace_id, …)`. */
  #readWithin(link: Tree, scope: Scope): void {
    const inner = this.readQuery(at(link, 'subselect'), scope)
    const test = at(link, 'testexpr')
    const parts = test.RowExpr ? list(at(test, 'RowExpr').args) : [test]
    const own = parts.find((part) => isColumn(part))
    if (own) this.#tieTo(this.#placeOf(own, scope), inner.place)
  }

  /** Reads subqueries at any depth outside of the conditions that hold for every row. */
  #readQueriesIn(node: unknown, scope: Scope): void {
    if (Array.isArray(node)) for (const each of node) this.#readQueriesIn(each, scope)
    else if (node !== null && typeof node === 'object') {
      const tree = node as Tree
      if (tree.SelectStmt) this.readQuery({ SelectStmt: tree.SelectStmt }, scope)
      else for (const each of Object.values(tree)) this.#readQueriesIn(each, scope)
    }
  }

  #given(targets: Tree[], scope: Scope): Source {
    for (const each of targets) {
      const { name, val } = at(each, 'ResTarget') as { name?: string; val?: Tree }
      if (!val) continue
      const fields = list(at(val, 'ColumnRef').fields)
      const last = fields.at(-1)
      const isAll = last !== undefined && 'A_Star' in last
      if (isAll) return { place: this.#resolve(fields.slice(0, -1).map(word), scope) }
      if (name === column || (name === undefined && isColumn(val))) return { place: this.#placeOf(val, scope) }
    }
    return { place: null }
  }

  /** The place of the `workspace_id` that an expression is; `value` for input from outside the tables. */
  #placeOf(node: Tree, scope: Scope): number | null {
    if (node.TypeCast) return this.#placeOf(at(node, 'TypeCast', 'arg'), scope)
    if (node.ParamRef || node.A_Const) return value
    if (node.FuncCall) return isScopeFunction(at(node, 'FuncCall')) ? value : null
    if (!isColumn(node)) return null
    return this.#resolve(list(at(node, 'ColumnRef').fields).slice(0, -1).map(word), scope)
  }

  #resolve(qualifier: string[], scope: Scope): number | null {
    for (let each: Scope | null = scope; each; each = each.outer) {
      const alias = qualifier.at(-1)
      const known = [...each.sources].filter(([name, { place }]) => place !== null && (alias ?? name) === name)
      if (known[0]) return known[0][1].place
    }
    return null
  }

  #newPlace(): number {
    return this.#equals.push([]) - 1
  }

  #tieTo(one: number | null, other: number | null): void {
    if (one !== null && other !== null) this.#tie(one, other)
  }

  #tie(one: number, other: number): void {
    if (!this.#missing || this.#missing.has(one)) this.#equals[one]?.push(other)
    if (!this.#missing || this.#missing.has(other)) this.#equals[other]?.push(one)
  }

  #isConfined(place: number, seen = new Set<number>()): boolean {
    if (place === value) return true
    seen.add(place)
    return (this.#equals[place] ?? []).some((next) => !seen.has(next) && this.#isConfined(next, seen))
  }
}

function placeAmong(sources: Source[]): number | null {
  return sources.find(({ place }) => place !== null)?.place ?? null
}

function at(tree: Tree, ...path: string[]): Tree {
  let found: unknown = tree
  for (const name of path) found = found !== null && typeof found === 'object' ? (found as Tree)[name] : undefined
  return (found ?? {}) as Tree
}

function list(given: unknown): Tree[] {
  return Array.isArray(given) ? (given as Tree[]) : []
}

function word(field: Tree): string {
  return String(at(field, 'String').sval)
}

function aliasOf(alias: unknown): string | undefined {
  return alias ? String((alias as Tree).aliasname) : undefined
}

function isColumn(node: Tree): boolean {
  const last = list(at(node, 'ColumnRef').fields).at(-1)
  return last !== undefined && word(last) === column
}

function isScopeFunction(call: Tree): boolean {
  return list(call.funcname).map(word).at(-1) === 'scope_workspace'
}

function returned(body: Tree): Tree[] {
  return [...list(body.returningList), ...list(at(body, 'returningClause', 'exprs'))]
}

function findNamed(name: string, scope: Scope): Source | null {
  for (let each: Scope | null = scope; each; each = each.outer) {
    const named = each.named.get(name)
    if (named) return named
  }
  return null
}
