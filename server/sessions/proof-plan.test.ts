import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { statementsOf } from '../../tests/fixtures/database/rows-read.ts'
import { addMember, addWorkspace, openTestSession } from '../../tests/fixtures/workspaces.ts'
import type { System } from '../foundation/actor.ts'
import { findMember, recallMember } from './session-proof.ts'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

const fill = `
  insert into members (workspace_id, member_id, customer_number, first_name, last_name, email, password_hash, created_at)
    select $1, gen_random_uuid(), (500000 + n)::text, 'Member', n::text, 'plan' || n || '@bench.test', 'none', now()
    from generate_series(1, 3000) n;
  insert into sessions (workspace_id, session_id, kind, member_id, token_hash, file_token_hash, created_at, last_seen_at, proven_at,
      expires_at)
    select $1, gen_random_uuid(), 'member', member_id, sha256(member_id::text::bytea), sha256(email::bytea), now(), now(), now(),
      now() + interval '1 day'
    from members where email is not null;`

/** One generic plan serves one token and five hundred. */
describe('the shared proof of sessions', () => {
  let made: MadeContext
  let system: System
  let owner: pg.Client
  let text: string

  before(async () => {
    made = await makeTestContext()
    system = await addWorkspace(made.context)
    const { memberId } = await addMember(system)
    const { token } = await openTestSession(system, { kind: 'member', id: memberId })
    await findMember(system, { token, of: 'calls' })
    const asked = await statementsOf(async () => recallMember(system, token)?.proveAlone?.())
    text = asked.map((one) => one.text).find((one) => one.includes('unnest')) ?? ''
    owner = await made.openOwner()
  })
  after(() => made.close())

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

  async function conditionsOf(table: string): Promise<(string | undefined)[]> {
    const program = new pg.Client({ connectionString: made.programUrl })
    await program.connect()
    try {
      await program.query(
        `select set_config('atrium.workspace_id', $1, false), set_config('atrium.actor_kind', 'system', false),
           set_config('enable_bitmapscan', 'off', false)`,
        [system.workspaceId],
      )
      const { rows } = await program.query(`explain (generic_plan, format json) ${text}`)
      const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
      return nodes.filter((node) => node['Relation Name'] === table).map((node) => node['Index Cond'])
    } finally {
      await program.end()
    }
  }

  it('finds each session and member by key', async () => {
    await owner.query('set session_replication_role = replica')
    await owner.query(fill.replaceAll('$1', `'${system.workspaceId}'::uuid`))
    await owner.query('analyze')
    const [sessions, members] = [await conditionsOf('sessions'), await conditionsOf('members')]
    assert.equal(sessions.length, 1)
    assert.match(sessions[0] ?? '', /token_hash = /)
    assert.equal(members.length, 1)
    assert.match(members[0] ?? '', /member_id = /)
  })
})
