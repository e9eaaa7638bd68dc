import { sql } from 'kysely'
import type { DomainMetrics } from '../metrics/domain-metrics.ts'

export const sessionsMetrics: DomainMetrics = {
  gauges: {
    members_online: 'Live sessions of members.',
    staff_online: 'Live sessions of staff.',
  },
  select: ({ now, seenSince }) => sql`
    select count(*) filter (where kind = 'member')::int as members_online,
      count(*) filter (where kind = 'staff')::int as staff_online
    from sessions where workspace_id = w.workspace_id and ended_at is null and expires_at > ${now}
      and last_seen_at > ${seenSince}`,
}
