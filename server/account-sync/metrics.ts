import { sql } from 'kysely'
import type { DomainMetrics } from '../metrics/domain-metrics.ts'

export const accountSyncMetrics: DomainMetrics = {
  gauges: {
    account_differences_open:
      'Undecided differences between the accounts of platform and portal: unknown, missing, or with other data than written.',
  },
  select: () => sql`
    select count(*)::int as account_differences_open from account_differences
    where workspace_id = w.workspace_id and state = 'open'`,
}
