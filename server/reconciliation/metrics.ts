import { sql } from 'kysely'
import type { DomainMetrics } from '../metrics/domain-metrics.ts'

export const reconciliationMetrics: DomainMetrics = {
  gauges: {
    reconciliation_differences_open: 'Differences between portal, provider and platform, unexplained.',
  },
  select: () => sql`
    select count(*)::int as reconciliation_differences_open from reconciliation_differences
    where workspace_id = w.workspace_id and state = 'open'`,
}
