// spec: OP operation
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { fillEveryTable } from '../../tests/catalogue/every-table.ts'
import { type MadeContext, makeTestContext, productionMode } from '../../tests/fixtures/context.ts'
import { rowsRead } from '../../tests/fixtures/database/rows-read.ts'
import { addWorkspace } from '../../tests/fixtures/workspaces.ts'
import { buildApp } from '../app.ts'
import { domainMetrics } from '../domains.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { listWorkspaces } from '../foundation/database/every-workspace.ts'
import { readQueues } from '../queue/queue-metrics.ts'
import { type OperatingMetrics, readOperatingMetrics } from './operating-metrics.ts'

const METRICS_TOKEN = randomBytes(24).toString('base64url')

let made: MadeContext
let app: FastifyInstance

before(async () => {
  made = await makeTestContext({ environment: { ...productionMode, METRICS_TOKEN } })
  app = await buildApp(made.context)
  await fillEveryTable(made.context, 'harbour')
})
after(async () => {
  await app.close()
  await made.close()
})

const ask = (authorization?: string) =>
  app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })

async function readPage(): Promise<string> {
  const answer = await ask(`Bearer ${METRICS_TOKEN}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.body
}

/** The value of one line, or undefined if none has exactly these labels. */
function numberAt(page: string, line: string): number | undefined {
  const found = page.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length))
}

const withoutId = ({ request_id: _, ...answer }: Record<string, unknown>) => answer

it('shows the version', async () => {
  assert.match(await readPage(), /^atrium_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
})

describe('access to the page', () => {
  it('requires the token, and answers 404 otherwise', async () => {
    const absent = await app.inject({ url: '/dev/nothing' })
    for (const shown of [
      undefined,
      '',
      METRICS_TOKEN,
      `Basic ${METRICS_TOKEN}`,
      'Bearer ',
      `Bearer ${METRICS_TOKEN}x`,
    ]) {
      const answer = await ask(shown)
      assert.equal(answer.statusCode, 404, shown)
      assert.deepEqual(withoutId(answer.json()), withoutId(absent.json()), shown)
    }
  })

  it('is closed in production without a token, and open in development', async () => {
    const { config } = made.context
    try {
      config.metricsToken = null
      assert.equal((await ask()).statusCode, 404)
      assert.equal((await ask('Bearer null')).statusCode, 404)
      config.production = false
      assert.equal((await ask()).statusCode, 200)
    } finally {
      Object.assign(config, { metricsToken: METRICS_TOKEN, production: true })
    }
  })
})

describe('the metrics', () => {
  it('count responses by declared route, never by a URL with an id', async () => {
    const id = '01990000-0000-7000-8000-000000000000'
    const { statusCode } = await app.inject({ url: `/desk/api/requests/${id}` })
    await app.inject({ url: `/cp/private/files/${id}/passport.pdf` })
    const page = await readPage()
    const labels = `{method="GET",route="/desk/api/requests/:id",status="${statusCode}"}`
    assert.equal(numberAt(page, `atrium_http_request_duration_seconds_count${labels}`), 1)
    assert.doesNotMatch(page, /01990000|passport/)
  })

  it('include the metrics of each workspace as stored', async () => {
    const { workspaces, isDatabaseWell } = await readOperatingMetrics(made.context, domainMetrics)
    assert.equal(isDatabaseWell, true)
    const harbour = workspaces.find(({ metrics }) => metrics.workspace === 'harbour')
    assert.ok(harbour)
    const page = await readPage()
    for (const name of ['ledger_violations', 'mails_waiting', 'payment_cases_open', 'money_intents_open'])
      assert.notEqual(numberAt(page, `atrium_${name}{workspace="harbour"}`), undefined, name)
    assert.equal(numberAt(page, 'atrium_ledger_violations{workspace="harbour"}'), 1, 'every-table.ts has one finding')
    assert.equal(numberAt(page, 'atrium_database_up'), 1)
  })

  it('include the number and age of waiting jobs per queue', async () => {
    const [system] = await listWorkspaces(made.context)
    assert.ok(system)
    await inTransaction(system, (tx) =>
      made.context.jobs.enqueue(tx, 'sessions.sweep', { workspaceId: system.workspaceId, id: system.workspaceId }),
    )
    const { queues } = await readOperatingMetrics(made.context, domainMetrics)
    const queue = queues.find((each) => each.queue === 'sessions.sweep')
    assert.equal(queue?.waiting, 1)
    assert.ok((queue?.age ?? -1) >= 0)
    const failed = queues.reduce((sum, each) => sum + each.failed, 0)
    assert.equal(failed, 0)
  })

  it('read no finished jobs, of which there are seven days', async () => {
    const owner = await made.openOwner()
    try {
      await owner.query(`insert into pgboss.job (name, state, completed_on)
        select 'sessions.sweep', 'completed', now() from generate_series(1, 5000)`)
      await owner.query('analyze pgboss.job')
      const [system] = await listWorkspaces(made.context)
      assert.ok(system)
      const { workspaceId } = system
      const isMeant = (text: string) => text.includes('from pgboss.')
      const rows = await rowsRead({ programUrl: made.programUrl, workspaceId, isMeant }, () => readQueues(made.context))
      assert.ok(rows < 500, `${rows} rows`)
    } finally {
      await owner.query(`delete from pgboss.job where state = 'completed'`)
    }
  })

  it('repeat the last metrics of an unreadable workspace, and report the database and the others as up', async () => {
    const { context } = made
    const north = await addWorkspace(context, { subdomain: 'north' })
    const before = await readOperatingMetrics(context, domainMetrics)
    const [harbour] = await listWorkspaces(context)
    assert.ok(harbour && harbour.workspaceId !== north.workspaceId)
    const owner = await made.openOwner()
    try {
      // As when its time limit is exceeded, without a problem elsewhere.
      await owner.query(`
        create function take_too_long() returns boolean language plpgsql as
          $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
        create policy slow on ledger_findings as restrictive
          using (workspace_id <> '${harbour.workspaceId}' or take_too_long())`)
      const after = await readOperatingMetrics(context, domainMetrics, before)
      assert.deepEqual([after.isDatabaseWell, after.unreadCount], [true, 1])
      const ofHarbour = ({ workspaces }: OperatingMetrics) =>
        workspaces.find(({ system }) => system.workspaceId === harbour.workspaceId)?.metrics
      assert.equal(ofHarbour(after)?.gauges.ledger_violations, 1)
      assert.deepEqual(ofHarbour(after), ofHarbour(before))
      assert.ok(after.workspaces.some(({ system }) => system.workspaceId === north.workspaceId))
      // Without previous metrics it is missing, and the others are shown.
      const first = await readOperatingMetrics(context, domainMetrics)
      assert.deepEqual([first.isDatabaseWell, first.unreadCount, first.workspaces.length], [true, 1, 1])
    } finally {
      await owner.query('drop policy if exists slow on ledger_findings; drop function if exists take_too_long')
    }
    assert.equal((await readOperatingMetrics(context, domainMetrics, before)).unreadCount, 0)
  })

  it('show the process and a database that is down', async () => {
    const gone = await makeTestContext({ environment: { METRICS_TOKEN } })
    const alone = await buildApp(gone.context)
    try {
      await gone.context.database.pool.end()
      const answer = await alone.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
      assert.equal(answer.statusCode, 200)
      assert.equal(numberAt(answer.body, 'atrium_database_up'), 0)
      assert.ok((numberAt(answer.body, 'process_resident_memory_bytes') ?? 0) > 0)
    } finally {
      await alone.close()
      await gone.close().catch(() => undefined) // The pool is closed already.
    }
  })
})
