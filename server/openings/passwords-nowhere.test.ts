/**
 * Each outcome of an opening uses its own password; then every table, the queue, all log lines, mails and answers are
 * searched for them.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { FaultKind } from '../../simulators/metatrader/faults.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openServedFixture, type ServedFixture } from '../../tests/fixtures/served-fixture.ts'
import { addMember, approveDocuments, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { settleOpening } from './settle.ts'

const ways: { name: string; password: string; fault?: FaultKind; code?: number }[] = [
  { name: 'opened', password: 'Canary-Open-71' },
  { name: 'refused by the platform', password: 'Canary-Refu-72', fault: 'answer-code', code: 3006 },
  { name: 'its answer lost', password: 'Canary-Lost-73', fault: 'execute-then-drop' },
  { name: 'its answer not understood', password: 'Canary-Garb-74', fault: 'execute-then-garbage' },
  { name: 'never arrived', password: 'Canary-Drop-75', fault: 'drop-before' },
  { name: 'refused by us', password: 'canarynothing' },
]
const logLines: string[] = []
const answers: string[] = []
let setup: ServedFixture
let owner: pg.Client

before(async () => {
  setup = await openServedFixture({ logLines })
  owner = await setup.openOwner()
})
after(() => setup.close())

async function go({ password, fault, code }: (typeof ways)[number]): Promise<void> {
  const { memberId } = await addMember(setup.system)
  await approveDocuments(setup.system, memberId)
  const { token } = await openTestSession(setup.system, { kind: 'member', id: memberId })
  if (fault) {
    const rule = { path: '/api/user/add', times: 1, kind: fault, ...(code !== undefined && { code }) }
    setup.simulator.control.addFault(rule)
  }
  const { body } = await setup.caller.post('/members/get-unique-token', { token_key: 'account_opening' }, token)
  const wanted = { trading_platform: setup.platformId, group: 'demo\\standard-usd', leverage: 100 }
  const sent = { initial_deposit: 0, main_password: password, ...wanted, nonce_token: body.token }
  answers.push((await setup.caller.post('/members/trading/open-demo-account', sent, token)).raw)
  for (let round = 0; round < 12; round++) {
    const found = await reading(setup.system, (tx) =>
      tx.selectFrom('account_openings').where(here).select('opening_id').where('member_id', '=', memberId).execute(),
    )
    for (const { opening_id } of found) await settleOpening(setup.system, opening_id)
    setup.context.clock.advance(40_000)
  }
}

test('writes the password of an opening nowhere, whatever the outcome', async () => {
  for (const way of ways) await go(way)
  const { rows: states } = await owner.query<{ state: string }>('select state from account_openings')
  assert.deepEqual(
    [...new Set(states.map(({ state }) => state))].sort(),
    ['done', 'not_opened', 'rejected'],
    'each outcome has occurred',
  )
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  assert.ok(tables.length > 30)
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(`select each::text as row from ${name} each`)
    for (const { row } of rows) assertFree(name, row)
  }
  assert.ok(logLines.length > 0 && answers.length === ways.length)
  for (const line of logLines) assertFree('a log line', line)
  for (const answer of answers) assertFree('an answer', answer)
})

function assertFree(where: string, text: string): void {
  const unescaped = text.replaceAll('\\', '')
  for (const { name, password } of ways)
    assert.ok(!unescaped.includes(password), `${where} holds the password of: ${name}`)
}
