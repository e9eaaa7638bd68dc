import type { PgBoss } from 'pg-boss'
import known from 'pg-boss/package.json' with { type: 'json' }
import type { ProgramLog } from '../observability/log.ts'

/** The schema version that the queue library expects. */
export const queueTablesVersion: number = known.pgboss.schema

const asksForVersion = /^select version from pgboss\.version$/i

/**
 * Reports a later schema version as the expected one during start, with a warning: the library starts only on its own
 * version, so after a release that raises it, processes of the previous version could not restart and a rollback would
 * fail. The release notes say whether that is safe (docs/operators/upgrading.md).
 */
export async function startOnLaterTables(boss: PgBoss, log: Pick<ProgramLog, 'warn'>): Promise<void> {
  const db = boss.getDb()
  const executeSql = db.executeSql.bind(db)
  db.executeSql = async (text, values) => {
    const answer = await executeSql(text, values)
    const found = asksForVersion.test(text) ? Number(answer.rows[0]?.version) : 0
    if (!(found > queueTablesVersion)) return answer
    log.warn({ found, known: queueTablesVersion }, 'the tables of the job queue are from a later version')
    return { rows: [{ version: String(queueTablesVersion) }] }
  }
  try {
    await boss.start()
  } finally {
    db.executeSql = executeSql
  }
}
