import assert from 'node:assert/strict'
import pg from 'pg'

type Plan = {
  'Node Type': string
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

/**
 * Rows that the scans of staff's statements go through, as the program's role with its row security: what grows when a list is
 * not flat. The work is done once to see what it asks, and that is then explained.
 */
export async function rowsRead(
  { programUrl, workspaceId, isMeant }: Asked,
  work: () => Promise<unknown>,
): Promise<number> {
  const seen = (await statementsOf(work)).filter(({ text }) => isMeant(text))
  assert.ok(seen.length > 0)
  const program = new pg.Client({ connectionString: programUrl })
  await program.connect()
  let rows = 0
  for (const { text, values } of seen) {
    await program.query('begin read only')
    await program.query(
      `select set_config('atrium.workspace_id', $1, true), set_config('atrium.actor_kind', 'staff', true)`,
      [workspaceId],
    )
    const found = await program.query(`explain (analyze, format json) ${text}`, values)
    rows += scanned(found.rows[0]['QUERY PLAN'][0].Plan)
    await program.query('rollback')
  }
  await program.end()
  return rows
}

async function statementsOf(work: () => Promise<unknown>) {
  const original = pg.Client.prototype.query
  const seen: { text: string; values: unknown[] }[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
    const [asked, values] = call as [string | pg.QueryConfig | undefined, unknown]
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
