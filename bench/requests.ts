/**
 * `npm run bench -- requests`: a member's history and the desk's board, table and forms, while the brokerage's requests grow.
 * `ATRIUM_BENCH_ASKED=1000,100000` sets the sizes.
 */

import type pg from 'pg'
import { asker } from './against-sql.ts'
import { measureGrowing, memberId, readDesk, rowCounts, workspace } from './growing-lists.ts'

const type = '00000000-0000-7000-8000-000000000010'
const form = '00000000-0000-7000-8000-000000000020'
const row = '_id number subject status created_at'
const history = (more = '') =>
  `query { requests(customer: "${memberId}", limit: 25, page: 1, withCount: true${more}) { ${row} } }`

await measureGrowing({
  of: 'requests',
  sizes: (process.env.ATRIUM_BENCH_ASKED ?? '1000,100000').split(',').map(Number),
  features: { requests: true },
  fill: fillRequests,
  async ask(fixture) {
    const { url, memberToken: token } = fixture
    const shown = `query { requests_types(show_in_portal: true) { _id name last_request { ${row} } } }`
    return {
      'history with its count': () => asker(url, history())(token),
      'history, searched': () => asker(url, history(', q: "subject 7"'))(token),
      'types with the last of each': () => asker(url, shown)(token),
      'the board': () => readDesk(fixture, 'requests?status=open'),
      'the board, what is over': () => readDesk(fixture, 'requests?status=done'),
      'the board of one type': () => readDesk(fixture, `requests?status=open&type=${type}`),
      'the board, searched': () => readDesk(fixture, 'requests?status=open&q=subject%207'),
      'request types': () => readDesk(fixture, 'request-types'),
      forms: () => readDesk(fixture, 'forms'),
      'answers to a form': () => readDesk(fixture, `forms/${form}/submissions`),
    }
  },
})

/** In bulk and without triggers, since filling is not measured. The first rows belong to the measured member. */
async function fillRequests(owner: pg.Client, { from, to }: { from: number; to: number }): Promise<void> {
  if (from === 0) await fillOffered(owner)
  await owner.query(
    `insert into requests (workspace_id, request_id, number, member_id, request_type_id, subject, description, status,
       status_since, created_at, form_id, form_version)
     select $1, ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, n, p.member_id, $6, 'About subject ' || n,
       'What a type says', (array['open', 'done', 'done', 'rejected'])[1 + n % 4], at, at, $7, 1
     from generate_series($2::bigint + 1, $3::bigint) n
     cross join lateral (select now() - n % 100000 * interval '1 minute' as at) moment
     join bench_people p on p.place = case when n <= $4 then 0 else n / $5 end`,
    [workspace, from, to, rowCounts.own, rowCounts.perMember, type, form],
  )
  await owner.query(
    `insert into form_answers (workspace_id, answers_id, form_id, version, member_id, answers, sent, request_id, submitted_at)
     select workspace_id, gen_random_uuid(), form_id, 1, member_id, '{"street": "Quay 1"}', '{}', request_id, created_at
     from requests where number > $1`,
    [from],
  )
}

async function fillOffered(owner: pg.Client): Promise<void> {
  const steps = [{ _id: 'one', name: 'One', fields: [] }]
  const definition = { steps, show_conditions: {}, input_name_conditions: {}, result_bands: [] }
  await owner.query(
    `insert into forms (workspace_id, form_id, name, is_request, current_version, created_at)
     values ($1, $2, 'Bench', true, 1, now())`,
    [workspace, form],
  )
  await owner.query(
    `insert into form_versions (workspace_id, form_id, version, definition, made_at) values ($1, $2, 1, $3, now())`,
    [workspace, form, definition],
  )
  await owner.query(
    `insert into request_types (workspace_id, request_type_id, name, created_at, form_id) values ($1, $2, 'Bench', now(), $3)`,
    [workspace, type, form],
  )
}
