import type pg from 'pg'
import { buildApp } from '../server/app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { openSession } from '../server/sessions/session.ts'
import { asker, connect, recordStatements } from './against-sql.ts'
import { type Figures, measure } from './figures.ts'
import { listen, onStage } from './stage.ts'

/**
 * `npm run bench:tickets`: the three lists of a member in one request, a conversation, and the desk's board, while the
 * brokerage's tickets grow. Beside each p95 what the same SQL takes bare. `ATRIUM_BENCH_TICKETS=1000,100000` names the sizes.
 */
const sizes = (process.env.ATRIUM_BENCH_TICKETS ?? '1000,100000').split(',').map(Number)
const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 300)
const lanes = 2
/** Of the member who looks; everybody else has five. */
const ownTickets = 200
const perMember = 5

const workspace = '00000000-0000-7000-8000-000000000001'
const looker = '00000000-0000-7000-8000-000000000002'

const row = '_id ticket subject priority status is_unread created_at'
const list = (alias: string, status: string, more = '') =>
  `${alias}: tickets(status: "${status}", limit: 10, page: 1, withCount: true${more}) { ${row} }`
const lists = (more = '') =>
  `query { ${list('open', 'open', more)} ${list('taken', 'taken', more)} ${list('closed', 'resolved', more)} }`

await onStage(async ({ ground, ownerUrl }) => {
  const owner = await connect(ownerUrl)
  await fillPeople(owner)
  const app = await buildApp(ground)
  const url = await listen(app)
  const system = systemActor(ground, workspace)
  const device = { address: null, userAgent: 'bench' }
  const { token } = await inTransaction(system, (tx) => openSession(tx, system, { kind: 'member', id: looker }, device))
  const staffId = newId()
  await owner.query(
    `insert into staff_users (workspace_id, staff_id, name, email, role, password_hash, created_at)
     values ($1, $2, 'Bench', 'bench@bench.test', 'administrator', 'none', now())`,
    [workspace, staffId],
  )
  const desk = await inTransaction(system, (tx) => openSession(tx, system, { kind: 'staff', id: staffId }, device))
  const smallest = new Map<string, Figures>()
  let filled = 0
  for (const size of sizes) {
    await fillTickets(owner, { from: filled, to: size })
    filled = size
    const { rows } = await owner.query<{ id: string }>(
      'select ticket_id as id from tickets where member_id = $1 limit 1',
      [looker],
    )
    const asked: Record<string, () => Promise<void>> = {
      'three lists with counts': () => asker(url, lists())(token),
      'three lists, searched': () => asker(url, lists(', q: "subject 7"'))(token),
      'a conversation': () =>
        asker(url, `query { tickets(_id: "${rows[0]?.id}") { ${row} conversation { uid content is_staff } } }`)(token),
      'the board': () => board(url, desk.token, 'state=open'),
      'the board, searched': () => board(url, desk.token, 'state=open&q=subject%207'),
      'response times': () => board(url, desk.token, 'days=30', 'ticket-figures'),
    }
    console.log(`  ${size} tickets of the brokerage`)
    for (const [name, ask] of Object.entries(asked)) {
      const statements = await recordStatements(ground.database.pool, ask)
      const bare = statements.filter(({ text }) => !/^(begin|commit|rollback)/i.test(text))
      const clients = [await connect(ownerUrl), await connect(ownerUrl)]
      const runBare = async (index: number): Promise<void> => {
        for (const { text, values } of bare) await clients[index % lanes]?.query(text, values)
      }
      await measure(lanes, 20, runBare)
      await measure(lanes, 20, ask)
      const viaDriver = await measure(lanes, requests, runBare)
      const viaHttp = await measure(lanes, requests, ask)
      smallest.set(name, smallest.get(name) ?? viaHttp)
      tell(name, viaHttp, { viaDriver, first: smallest.get(name) ?? viaHttp })
      for (const client of clients) await client.end()
    }
  }
  await app.close()
  await owner.end()
})

async function board(url: string, token: string, query: string, path = 'tickets'): Promise<void> {
  const answer = await fetch(`${url}/desk/api/${path}?${query}`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`The desk answered ${answer.status}`)
  await answer.arrayBuffer()
}

function tell(name: string, figures: Figures, { viaDriver, first }: Record<'viaDriver' | 'first', Figures>): void {
  const cells = [
    name.padEnd(26),
    `p50 ${figures.p50Ms.toFixed(2).padStart(7)} ms`,
    `p95 ${figures.p95Ms.toFixed(2).padStart(7)} ms`,
    `${(figures.p95Ms / first.p95Ms).toFixed(2)} x p95 of ${sizes[0]}`,
    `${(figures.p50Ms / viaDriver.p50Ms).toFixed(2)} x p50 of bare SQL`,
  ]
  console.log(`    ${cells.join('   ')}`)
}

async function fillPeople(owner: pg.Client): Promise<void> {
  const members = Math.ceil(Math.max(...sizes) / perMember)
  await owner.query(
    `insert into workspaces (workspace_id, subdomain, is_default, name, features, settings)
     values ($1, 'bench', true, 'Bench', '{"support": true}', '{"second_factor_staff": "optional"}')`,
    [workspace],
  )
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, case n when 0 then $2::uuid else gen_random_uuid() end, (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', 'none', now()
     from generate_series(0, $3::int) n`,
    [workspace, looker, members],
  )
  await owner.query(
    `create table bench_people as select member_id, customer_number::int - 100000 as place from members`,
  )
  await owner.query('create unique index on bench_people (place)')
  await owner.query('analyze')
}

/** In bulk and past triggers: building the table is not what is measured. The first rows are the looker's own. */
async function fillTickets(owner: pg.Client, { from, to }: { from: number; to: number }): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into tickets (workspace_id, ticket_id, number, member_id, type, state, state_since, subject, description,
       created_at, first_answered_at, resolved_at, messages, last_of_staff, last_of_member)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n, p.member_id, 'profile', (array['open', 'resolved', 'resolved', 'resolved'])[1 + n % 4],
       at, 'About subject ' || n, 'What a member wrote ' || n, at, at + n % 600 * interval '1 minute',
       case n % 4 when 0 then null else at + interval '1 day' end, 4, 4, 3
     from generate_series($2::bigint + 1, $3::bigint) n
     cross join lateral (select now() - n % 100000 * interval '1 minute' as at) moment
     join bench_people p on p.place = case when n <= $4 then 0 else n / $5 end`,
    [workspace, from, to, ownTickets, perMember],
  )
  await owner.query(
    `insert into ticket_messages (workspace_id, message_id, ticket_id, member_id, position, type, content, created_at)
     select t.workspace_id, gen_random_uuid(), t.ticket_id, t.member_id, n, 'message', 'What was said ' || n, t.created_at
     from tickets t cross join generate_series(1, 4) n where t.number > $1`,
    [from],
  )
  await owner.query('set session_replication_role = origin')
  await owner.query('analyze')
}
