import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { type MadeContext, makeTestContext } from '../../tests/fixtures/context.ts'
import { readQueues, retryFailedJobs } from './queue-metrics.ts'

let made: MadeContext
let owner: pg.Client
before(async () => {
  made = await makeTestContext()
  owner = await made.openOwner()
})
after(() => made.close())

test('retries all failed jobs of a queue, in any number, and each of them by id', async () => {
  const queue = 'forms.sweep-drafts'
  const { rows } = await owner.query<{ id: string; completed_on: Date }>(
    `insert into pgboss.job (name, state, completed_on)
     select unnest($1::text[]), 'failed', now() - number * interval '1 s' from generate_series(1, 1100) number
     returning id, completed_on`,
    [[queue]],
  )
  await owner.query(`insert into pgboss.job (name, state, completed_on) values ('files.scan', 'failed', now())`)
  const [oldest] = rows.sort((one, other) => one.completed_on.getTime() - other.completed_on.getTime())
  assert.equal(await retryFailedJobs(made.context, queue, oldest?.id), 1)
  assert.equal(await retryFailedJobs(made.context, queue, oldest?.id), 0)
  assert.equal(await retryFailedJobs(made.context, queue, 'no id'), 0)
  assert.equal(await retryFailedJobs(made.context, queue), 1_099)
  const failed = (await readQueues(made.context, { isExact: true })).filter((each) => each.failed > 0)
  assert.deepEqual(
    failed.map((each) => each.queue),
    ['files.scan'],
  )
})
