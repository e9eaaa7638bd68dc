import assert from 'node:assert/strict'
import pg from 'pg'

export type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
  'Rows Removed by Filter'?: number
}

type Asked = {
  programUrl: string
  workspaceId: string /** Which of the statements are meant. */
  isMeant(text: string): boolean
}
type Statement = { text: string; values: unknown[] }

/**
 * Rows that the scans of staff's statements go through, as the program's role with its row security: what grows when a list is
 * not flat. The work is done once to see what it asks, and that is then explained.
 */
export async function rowsRead(asked: Asked, work: () => Promise<unknown>): Promise<number> {
  const plans = await plansOf(asked, work, { analyze: true })
  return plans.reduce((rows, plan) => rows + scanned(plan), 0)
}

/**
 * How each of staff's statements finds its rows where looking through a whole table is out of the question, as it is where
 * there are millions: it is not done, only asked for.
 */
export function plansWithoutScans(asked: Asked, work: () => Promise<unknown>): Promise<Plan[]> {
  return plansOf(asked, work, { analyze: false })
}

async function plansOf(
  { programUrl, workspaceId, isMeant }: Asked,
  work: () => Promise<unknown>,
  { analyze }: { analyze: boolean },
): Promise<Plan[]> {
  const seen = (await statementsOf(work)).filter(({ text }) => isMeant(text))
  assert.ok(seen.length > 0)
  const program = new pg.Client({ connectionString: programUrl })
  await program.connect()
  const plans: Plan[] = []
  for (const { text, values } of seen) {
    await program.query('begin read only')
    await program.query(
      `select set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', 'staff', true),
         set_config('enable_seqscan', $2, true), set_config('enable_bitmapscan', $2, true)`,
      [workspaceId, analyze ? 'on' : 'off'],
    )
    const found = await program.query(`explain (analyze ${analyze}, format json) ${text}`, values)
    plans.push(found.rows[0]['QUERY PLAN'][0].Plan)
    await program.query('rollback')
  }
  await program.end()
  return plans
}

/** What is asked of the database while the work is done, in its order; by these connections, where not all are meant. */
export async function statementsOf(work: () => Promise<unknown>, connections?: WeakSet<object>): Promise<Statement[]> {
  const original = pg.Client.prototype.query
  const seen: Statement[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
    const [asked, values] = call as [string | pg.QueryConfig | undefined, unknown]
    if (connections && !connections.has(this)) return Reflect.apply(original, this, call)
    if (typeof asked === 'object') seen.push({ text: asked.text, values: asked.values ?? [] })
    else if (asked !== undefined) seen.push({ text: asked, values: Array.isArray(values) ? values : [] })
    return Reflect.apply(original, this, call)
  } as typeof original
  await work().finally(() => {
    pg.Client.prototype.query = original
  })
  return seen
}

function scanned(plan: Plan): number {
  const own = plan['Node Type'].includes('Scan') ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0
  return own * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, inner) => sum + scanned(inner), 0)
}
