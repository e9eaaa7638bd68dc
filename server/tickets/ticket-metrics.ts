import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readTicketMetrics as call } from '@atrium/contract/tickets/desk-calls.ts'
import { sql } from 'kysely'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { reading, type Tx } from '../foundation/database/database.ts'

type TicketMetrics = CallAnswer<typeof call>['figures']

const dayMs = 86_400_000
const colleaguesShown = 20

/** Response times of tickets created in the last days, and all waiting tickets of any age. */
export async function readTicketMetrics(staff: Staff, days: number): Promise<TicketMetrics> {
  authorizeStaff(staff, 'members.read')
  const since = new Date(staff.context.clock.now().getTime() - days * dayMs)
  return reading(staff, async (tx) => ({
    ...(await readTimes(tx, staff, since)),
    ...(await readUnanswered(tx, staff)),
    by_colleague: await readByColleague(tx, staff, since),
  }))
}

async function readTimes(tx: Tx, staff: Staff, since: Date) {
  const toAnswer = sql`extract(epoch from first_answered_at - created_at)`
  const toResolve = sql`extract(epoch from resolved_at - created_at)`
  return (
    tx
      .selectFrom('tickets')
      .select([
        sql<number>`count(*)::int`.as('created'),
        sql<number>`count(first_answered_at)::int`.as('answered'),
        sql<number>`count(*) filter (where state = 'resolved')::int`.as('resolved'),
        sql<number | null>`round(percentile_cont(0.5) within group (order by ${toAnswer}))::int`.as(
          'first_answer_median',
        ),
        sql<number | null>`round(percentile_cont(0.9) within group (order by ${toAnswer}))::int`.as('first_answer_p90'),
        sql<number | null>`round(percentile_cont(0.5) within group (order by ${toResolve})
        filter (where state = 'resolved'))::int`.as('resolution_median'),
      ])
      .where('workspace_id', '=', staff.workspaceId)
      .where('created_at', '>=', since)
      // Merged tickets are answered in the ticket they were merged into.
      .where('state', '<>', 'closed')
      .executeTakeFirstOrThrow()
  )
}

async function readUnanswered(tx: Tx, staff: Staff) {
  const row = await tx
    .selectFrom('tickets')
    .select([sql<number>`count(*)::int`.as('unanswered'), sql<Date | null>`min(created_at)`.as('oldest')])
    .where('workspace_id', '=', staff.workspaceId)
    .where('state', 'in', ['open', 'taken'])
    .where('first_answered_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { unanswered: row.unanswered, oldest_unanswered_at: row.oldest?.getTime() ?? null }
}

async function readByColleague(tx: Tx, staff: Staff, since: Date): Promise<TicketMetrics['by_colleague']> {
  return tx
    .selectFrom('ticket_messages')
    .select(['staff_id as _id', sql<string>`max(staff_name)`.as('name'), sql<number>`count(*)::int`.as('messages')])
    .select(sql<number>`count(distinct ticket_id)::int`.as('tickets'))
    .where('workspace_id', '=', staff.workspaceId)
    .where('staff_id', 'is not', null)
    .where('created_at', '>=', since)
    .groupBy('staff_id')
    .orderBy('messages', 'desc')
    .limit(colleaguesShown)
    .$narrowType<{ _id: string }>()
    .execute()
}
