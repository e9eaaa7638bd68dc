/**
 * `npm run bench -- tickets`: a member's three lists in one request, a conversation, and the desk's board, while the brokerage's
 * tickets grow. `ATRIUM_BENCH_TICKETS=1000,100000` sets the sizes.
 */

import type pg from 'pg'
import { asker } from './against-sql.ts'
import { measureGrowing, memberId, readDesk, rowCounts, workspace } from './growing-lists.ts'

const row = '_id ticket subject priority status is_unread created_at'
const list = (alias: string, status: string, more = '') =>
  `${alias}: tickets(status: "${status}", limit: 10, page: 1, withCount: true${more}) { ${row} }`
const lists = (more = '') =>
  `query { ${list('open', 'open', more)} ${list('taken', 'taken', more)} ${list('closed', 'resolved', more)} }`

await measureGrowing({
  of: 'tickets',
  sizes: (process.env.ATRIUM_BENCH_TICKETS ?? '1000,100000').split(',').map(Number),
  features: { support: true },
  fill: fillTickets,
  async ask(fixture) {
    const { url, memberToken: token, owner } = fixture
    const { rows } = await owner.query<{ id: string }>(
      'select ticket_id as id from tickets where member_id = $1 limit 1',
      [memberId],
    )
    const one = `query { tickets(_id: "${rows[0]?.id}") { ${row} conversation { uid content is_staff } } }`
    return {
      'three lists with counts': () => asker(url, lists())(token),
      'three lists, searched': () => asker(url, lists(', q: "subject 7"'))(token),
      'a conversation': () => asker(url, one)(token),
      'the board': () => readDesk(fixture, 'tickets?state=open'),
      'the board, searched': () => readDesk(fixture, 'tickets?state=open&q=subject%207'),
      'response times': () => readDesk(fixture, 'ticket-figures?days=30'),
    }
  },
})

/** In bulk and without triggers, since filling is not measured. The first rows belong to the measured member. */
async function fillTickets(owner: pg.Client, { from, to }: { from: number; to: number }): Promise<void> {
  await owner.query(
    `insert into tickets (workspace_id, ticket_id, number, member_id, type, state, state_since, subject, description,
       created_at, first_answered_at, resolved_at, messages, last_of_staff, last_of_member)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n, p.member_id, 'profile', (array['open', 'resolved', 'resolved', 'resolved'])[1 + n % 4],
       at, 'About subject ' || n, 'What a member wrote ' || n, at, at + n % 600 * interval '1 minute',
       case n % 4 when 0 then null else at + interval '1 day' end, 4, 4, 3
     from generate_series($2::bigint + 1, $3::bigint) n
     cross join lateral (select now() - n % 100000 * interval '1 minute' as at) moment
     join bench_people p on p.place = case when n <= $4 then 0 else n / $5 end`,
    [workspace, from, to, rowCounts.own, rowCounts.perMember],
  )
  await owner.query(
    `insert into ticket_messages (workspace_id, message_id, ticket_id, member_id, position, type, content, created_at)
     select t.workspace_id, gen_random_uuid(), t.ticket_id, t.member_id, n, 'message', 'What was said ' || n, t.created_at
     from tickets t cross join generate_series(1, 4) n where t.number > $1`,
    [from],
  )
}
