import { sql } from 'kysely'
import { ageOf, type DomainMetrics } from '../../metrics/domain-metrics.ts'

export const paymentsMetrics: DomainMetrics = {
  gauges: {
    provider_notifications_unread: 'Notifications of payment providers not read yet.',
    provider_notifications_unread_seconds: 'Age of the oldest unread notification.',
    deposit_orders_for_staff: 'Deposits held for staff.',
    payment_cases_open: 'Payments that staff have to decide about.',
  },
  select: ({ now }) => sql`
    select count(*)::int as provider_notifications_unread,
      ${ageOf(now, 'min(received_at)')} as provider_notifications_unread_seconds,
      (select count(*)::int from deposit_orders where workspace_id = w.workspace_id and state = 'for_staff')
        as deposit_orders_for_staff,
      (select count(*)::int from payment_cases where workspace_id = w.workspace_id and state <> 'closed')
        as payment_cases_open
    from payment_notifications where workspace_id = w.workspace_id and verdict = 'unread'`,
}
