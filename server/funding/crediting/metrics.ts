import { sql } from 'kysely'
import { ageOf, type DomainMetrics } from '../../metrics/domain-metrics.ts'

export const fundingMetrics: DomainMetrics = {
  gauges: {
    money_intents_open: 'Balance operations on a trading platform that are not settled.',
    money_intents_open_seconds: 'Age of the oldest transaction that is not settled.',
    money_intents_stuck: 'Balance operations in manual review.',
    ledger_violations: 'Violations of the rules of the ledger. Any value above 0 raises an alert.',
    ledger_check_seconds: 'Time since the ledger was last compared with the platforms; -1: never.',
  },
  select: ({ now }) => sql`
    select count(*) filter (where state <> 'stuck')::int as money_intents_open,
      ${ageOf(now, "min(created_at) filter (where state <> 'stuck')")} as money_intents_open_seconds,
      count(*) filter (where state = 'stuck')::int as money_intents_stuck,
      (select count(*)::int from ledger_findings where workspace_id = w.workspace_id) as ledger_violations,
      (select coalesce(extract(epoch from (${now}::timestamptz - max(checked_at))), -1)::float8
        from ledger_checks where workspace_id = w.workspace_id) as ledger_check_seconds
    from platform_intents where workspace_id = w.workspace_id
      and state in ('ready', 'sending', 'unknown', 'stuck')`,
}
