import { sql } from 'kysely'
import type { DomainMetrics } from '../metrics/domain-metrics.ts'

export const filesMetrics: DomainMetrics = {
  gauges: {
    files_unscanned: 'Files that wait for the virus scanner and cannot be opened yet.',
  },
  select: () => sql`
    select count(*)::int as files_unscanned from media where workspace_id = w.workspace_id and scan = 'waiting'`,
}
