/** Measures lists of a member and of the desk while the brokerage grows. */

import type pg from 'pg'
import { buildApp } from '../server/app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { inTransaction } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { openSession } from '../server/sessions/session.ts'
import { connect, measureBesideSql } from './against-sql.ts'
import type { Measurement } from './measure/measurement.ts'
import { listen, onFixture } from './setup.ts'

const requests = Number(process.env.ATRIUM_BENCH_REQUESTS ?? 300)
const connections = 2

export const workspace = '00000000-0000-7000-8000-000000000001'
/** The number of rows of the measured member, and of every other member. */
export const memberId = '00000000-0000-7000-8000-000000000002'
export const rowCounts = { own: 200, perMember: 5 }

export type ListFixture = {
  url: string
  memberToken: string
  deskToken: string
  staffId: string
  owner: pg.Client
  ownerUrl: string
  tokenOf(kind: 'member' | 'staff', id: string): Promise<string>
}
type Growing = {
  of: string
  sizes: readonly number[]
  features: object
  fill(owner: pg.Client, rows: { from: number; to: number }): Promise<void>
  ask(fixture: ListFixture): Promise<Record<string, () => Promise<void>>>
}

/** Prints each p95 with that of the first size and that of the same bare SQL. */
export function measureGrowing({ of, sizes, features, fill, ask }: Growing): Promise<void> {
  const members = Math.ceil(Math.max(...sizes) / rowCounts.perMember)
  return onBrokerage({ features, members }, async (fixture) => {
    const smallest = new Map<string, Measurement>()
    let filled = 0
    for (const size of sizes) {
      await fillPastTriggers(fixture.owner, () => fill(fixture.owner, { from: filled, to: size }))
      filled = size
      console.log(`  ${size} ${of} of the brokerage`)
      for (const [name, run] of Object.entries(await ask(fixture))) {
        const { viaDriver, viaHttp } = await measureBesideSql(
          { ownerUrl: fixture.ownerUrl, connections, requests },
          run,
        )
        const first = smallest.get(name) ?? viaHttp
        smallest.set(name, first)
        report(name, viaHttp, { viaDriver, first, firstSize: sizes[0] ?? 0 })
      }
    }
  })
}

type Brokerage = { features: object; members: number; settings?: Record<string, string> }

/** A brokerage with this many members behind the whole server, with a signed-in member and a signed-in staff member. */
export function onBrokerage(
  { features, members, settings = {} }: Brokerage,
  work: (fixture: ListFixture) => Promise<void>,
): Promise<void> {
  return onFixture(async ({ context, ownerUrl }) => {
    const owner = await connect(ownerUrl)
    await fillPeople(owner, { features, members })
    const app = await buildApp(context)
    const url = await listen(app)
    const system = systemActor(context, workspace)
    const staffId = newId()
    await owner.query(
      `insert into staff_users (workspace_id, staff_id, name, email, role, password_hash, created_at)
       values ($1, $2, 'Bench', 'bench@bench.test', 'administrator', 'none', now())`,
      [workspace, staffId],
    )
    const tokenOf = async (kind: 'member' | 'staff', id: string) => {
      const device = { address: null, userAgent: 'bench' }
      return (await inTransaction(system, (tx) => openSession(tx, system, { kind, id }, device))).token
    }
    const [memberToken, deskToken] = [await tokenOf('member', memberId), await tokenOf('staff', staffId)]
    await work({ url, memberToken, deskToken, staffId, tokenOf, owner, ownerUrl })
    await app.close()
    await owner.end()
  }, settings)
}

export async function fillPastTriggers(owner: pg.Client, fill: () => Promise<void>): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await fill()
  await owner.query('set session_replication_role = origin')
  await owner.query('vacuum analyze')
}

/** Reads a desk list completely. */
export async function readDesk({ url, deskToken }: ListFixture, path: string): Promise<void> {
  const answer = await fetch(`${url}/desk/api/${path}`, { headers: { authorization: `Bearer ${deskToken}` } })
  if (answer.status !== 200) throw new Error(`The desk answered ${answer.status}`)
  await answer.arrayBuffer()
}

type Beside = { viaDriver: Measurement; first: Measurement; firstSize: number }

function report(name: string, measurement: Measurement, { viaDriver, first, firstSize }: Beside): void {
  const cells = [
    name.padEnd(26),
    `p50 ${measurement.p50Ms.toFixed(2).padStart(7)} ms`,
    `p95 ${measurement.p95Ms.toFixed(2).padStart(7)} ms`,
    `${(measurement.p95Ms / first.p95Ms).toFixed(2)} x p95 of ${firstSize}`,
    `${(measurement.p50Ms / viaDriver.p50Ms).toFixed(2)} x p50 of bare SQL`,
  ]
  console.log(`    ${cells.join('   ')}`)
}

/** Also creates a table of member positions that the fill functions can join. */
async function fillPeople(owner: pg.Client, { features, members }: { features: object; members: number }) {
  await owner.query(
    `insert into workspaces (workspace_id, subdomain, is_default, name, features, settings)
     values ($1, 'bench', true, 'Bench', $2, '{"second_factor_staff": "optional"}')`,
    [workspace, features],
  )
  await owner.query(
    `insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
     select $1, case n when 0 then $2::uuid else gen_random_uuid() end, (100000 + n)::text, 'Member', n::text, 'bench' || n || '@bench.test', 'none', now()
     from generate_series(0, $3::int) n`,
    [workspace, memberId, members],
  )
  await owner.query(
    `create table bench_people as select member_id, customer_number::int - 100000 as place from members`,
  )
  await owner.query('create unique index on bench_people (place)')
  await owner.query('analyze')
}
