import { sql } from 'kysely'
import { ageOf, type DomainMetrics } from '../../metrics/domain-metrics.ts'

export const paymentsMetrics: DomainMetrics = {
  gauges: {
    provider_notifications_unread: 'Webhook events of payment providers that are not processed yet.',
    provider_notifications_unread_seconds: 'Age of the oldest webhook event that is not processed yet.',
    deposit_orders_for_staff: 'Deposits in manual review.',
    payment_cases_open: 'Payment exceptions that wait for a decision.',
    payout_returns_unanswered: 'Paid payouts that may have come back, and whose provider has not answered.',
  },
  select: ({ now }) => sql`
    select count(*)::int as provider_notifications_unread,
      ${ageOf(now, 'min(received_at)')} as provider_notifications_unread_seconds,
      (select count(*)::int from deposit_orders where workspace_id = w.workspace_id and state = 'for_staff')
        as deposit_orders_for_staff,
      (select count(*)::int from payment_cases where workspace_id = w.workspace_id and state <> 'closed')
        as payment_cases_open,
      (select count(*)::int from payout_orders where workspace_id = w.workspace_id and return_reported_at is not null)
        as payout_returns_unanswered
    from payment_notifications where workspace_id = w.workspace_id and verdict = 'unread'`,
}
