// spec: OP operation
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { distributedTables, judgeStatements, readConfinement } from './confined-statements.ts'

const tables = new Set(['members', 'sessions', 'accounts'])
const own = 'm.workspace_id = $1'

const held: Record<string, string> = {
  'one table and a value': `select name from members where workspace_id = $1`,
  'a cast and the scope': `select 1 from members where workspace_id = $1::uuid and sessions_of(workspace_id = scope_workspace())`,
  'a join on the workspace': `select 1 from members m join sessions s on s.workspace_id = m.workspace_id and s.id = m.id where ${own}`,
  'a join by name': `select 1 from members m join sessions s using (workspace_id, id) where ${own}`,
  'several tables in FROM': `select 1 from members m, sessions s where ${own} and s.workspace_id = m.workspace_id`,
  'an outer join': `select 1 from members m left join sessions s on s.workspace_id = m.workspace_id where ${own}`,
  'an outer join with a value': `select 1 from members m left join sessions s on s.workspace_id = $1 where ${own}`,
  'columns as a row': `select 1 from members m join sessions s on (s.workspace_id, s.id) = (m.workspace_id, m.id) where ${own}`,
  'an EXISTS subquery': `select 1 from members m where ${own} and not exists (select from sessions s where s.workspace_id = m.workspace_id)`,
  'a subquery in the select list': `select (select count(*) from sessions s where s.workspace_id = m.workspace_id) from members m where ${own}`,
  'a row comparison with a subquery': `delete from members where (workspace_id, id) in (select workspace_id, id from sessions where workspace_id = $1)`,
  'a common table expression': `with s as (select workspace_id, id from sessions) select 1 from s join members m on s.workspace_id = m.workspace_id where ${own}`,
  'a subquery in FROM': `select 1 from (select * from members) m where ${own}`,
  'both sides of a union': `select 1 from members where workspace_id = $1 union all select 1 from sessions where workspace_id = $1`,
  'an INSERT with values': `insert into members (workspace_id, id) values ($1, $2), ($1, $3) on conflict (workspace_id, id) do nothing`,
  'an INSERT from a query': `insert into members (id, workspace_id) select id, workspace_id from sessions where workspace_id = $1`,
  'an UPDATE with another table': `update members m set name = s.name from sessions s where s.workspace_id = m.workspace_id and ${own}`,
  'a DELETE with another table': `delete from members m using sessions s where s.workspace_id = m.workspace_id and ${own}`,
  'another schema': `select 1 from pgboss.members`,
  'no table': `begin; select set_config('a', 'b', true)`,
}

const loose: Record<string, [statement: string, tables: string[]]> = {
  'no condition': [`select 1 from members where id = $1`, ['members']],
  'several workspaces': [`select 1 from members where workspace_id = any($1)`, ['members']],
  'one of two conditions': [`select 1 from members where workspace_id = $1 or id = $2`, ['members']],
  'the opposite': [`select 1 from members where not (workspace_id = $1)`, ['members']],
  'a join on the id alone': [`select 1 from members m join sessions s on s.id = m.id where ${own}`, ['sessions']],
  'a join without a condition on the workspace': [
    `select 1 from members m join sessions s on s.workspace_id = m.workspace_id`,
    ['members', 'sessions'],
  ],
  'an outer join that confines only the optional side': [
    `select 1 from members m left join sessions s on s.workspace_id = m.workspace_id and s.workspace_id = $1`,
    ['members'],
  ],
  'a condition of an outer join on the preserved side': [
    `select 1 from members m left join sessions s on s.workspace_id = m.workspace_id and ${own}`,
    ['members', 'sessions'],
  ],
  'an EXISTS subquery over all workspaces': [
    `select 1 from members m where ${own} and exists (select from sessions s where s.id = m.id)`,
    ['sessions'],
  ],
  'one side of a union': [`select 1 from members where workspace_id = $1 union select 1 from sessions`, ['sessions']],
  'an INSERT from a query over all workspaces': [
    `insert into members (workspace_id, id) select $1, id from sessions`,
    ['sessions'],
  ],
  'another column of that type': [`select 1 from members m where m.workspace_id = m.other_id`, ['members']],
  'an UPDATE without it': [`update members set name = $1 where id = $2 returning workspace_id`, ['members']],
  'inside a common table expression': [
    `with gone as (delete from sessions returning id) select 1 from gone`,
    ['sessions'],
  ],
}

describe('readConfinement', () => {
  for (const [name, statement] of Object.entries(held))
    test(`accepts: ${name}`, async () => assert.deepEqual((await readConfinement(statement, tables)).loose, []))
  for (const [name, [statement, expected]] of Object.entries(loose))
    test(`reports: ${name}`, async () => assert.deepEqual((await readConfinement(statement, tables)).loose, expected))
})

test('judges statements that differ only in values once, and reports them with their unconfined tables', async () => {
  assert.ok(distributedTables().size > 80)
  const judged = await judgeStatements([
    `select 1 from members where workspace_id = 'a'`,
    `select 1 from members where workspace_id = 'b'`,
    `select now()`,
    `select 1\n from members`,
  ])
  assert.deepEqual(judged, {
    statements: 3,
    onTables: 2,
    problems: ['members not held to a workspace in: select 1 from members'],
  })
})
