import { sql } from 'kysely'
import { ageOf, type DomainMetrics } from '../metrics/domain-metrics.ts'

export const notificationsMetrics: DomainMetrics = {
  gauges: {
    mails_waiting: 'Emails that wait to be sent.',
    mails_waiting_seconds: 'Age of the oldest email that waits.',
    mails_undelivered: 'Emails that could not be delivered and that staff have not handled yet.',
  },
  select: ({ now }) => sql`
    select count(*) filter (where left_at is null and state in ('queued', 'sending'))::int as mails_waiting,
      ${ageOf(now, "min(created_at) filter (where state in ('queued', 'sending'))")} as mails_waiting_seconds,
      count(*) filter (where left_at is null and state in ('failed', 'unknown'))::int as mails_undelivered
    from mails where workspace_id = w.workspace_id and state in ('queued', 'sending', 'failed', 'unknown')`,
}
