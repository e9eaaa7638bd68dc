import type { PgBoss } from 'pg-boss'
import known from 'pg-boss/package.json' with { type: 'json' }
import type { ProgramLog } from '../observability/log.ts'

/** The version of its tables that the queue was made for. */
export const queueTablesVersion: number = known.pgboss.schema

const asksForVersion = /^select version from pgboss\.version$/i

/**
 * The queue starts on tables of the version that it was made for, and on no others. Where a release raises that version,
 * processes of the one before could not start anew beside it, nor could that one be gone back to. So while it starts, later
 * tables are passed for its own, and the log says so: whether it works on them is for that release to say (docs/operators/upgrading.md).
 */
export async function startOnLaterTables(boss: PgBoss, log: Pick<ProgramLog, 'warn'>): Promise<void> {
  const db = boss.getDb()
  const executeSql = db.executeSql.bind(db)
  db.executeSql = async (text, values) => {
    const answer = await executeSql(text, values)
    const found = asksForVersion.test(text) ? Number(answer.rows[0]?.version) : 0
    if (!(found > queueTablesVersion)) return answer
    log.warn({ found, known: queueTablesVersion }, 'the tables of the job queue are of a later version')
    return { rows: [{ version: String(queueTablesVersion) }] }
  }
  try {
    await boss.start()
  } finally {
    db.executeSql = executeSql
  }
}
