// spec: OP operation
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as ask } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import {
  openPayer,
  openPaymentFixture,
  type PaymentFixture,
  startBody,
} from '../../tests/fixtures/payments/payment-fixture.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { openDatabase } from '../foundation/database/pool.ts'
import { newId } from '../foundation/ids.ts'
import { realTime } from '../foundation/timer.ts'
import { openNotificationHub } from '../notifications/notification-hub.ts'
import { openKeyedQueues } from '../queue/keyed-queues.ts'
import { askForSweep, startRepeating } from '../queue/sweeping.ts'
import { checkStreamAccess } from '../sessions/stream-access.ts'
import { openQueue } from '../trading-platforms/queue.ts'
import { makeLog } from './log.ts'
import { type LogContext, logContext, withLogContext, withoutLogContext } from './log-context.ts'

type Line = LogContext & { msg: string; order?: string; note?: string }

const logLines: string[] = []
let setup: PaymentFixture
before(async () => {
  setup = await openPaymentFixture({ logLines })
})
after(() => setup.close())

const lines = (): Line[] => logLines.map((line) => JSON.parse(line) as Line)
const idsOf = ({ reqId, workspace, member, staff, queue, job }: Line): LogContext => ({
  ...(reqId !== undefined && { reqId }),
  ...(workspace !== undefined && { workspace }),
  ...(member !== undefined && { member }),
  ...(staff !== undefined && { staff }),
  ...(queue !== undefined && { queue }),
  ...(job !== undefined && { job }),
})

/** Tools differ on whether the first or the last of two equal names counts. */
function assertSaidOnce(text: string): void {
  const names = [...text.matchAll(/"(reqId|workspace|member|staff|queue|job)":/g)].map(([, name]) => name)
  assert.equal(new Set(names).size, names.length, text)
}

describe('a request', () => {
  test('logs the ids of its member and workspace with its work, and not those of the previous request', async () => {
    const { token } = await openPayer(setup)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = async (path: string, body: object, headers: Record<string, string> = {}): Promise<string> => {
      const { port } = setup.context.config
      const type = { 'content-type': 'application/json', ...headers }
      const sent = ask({ host: 'localhost', port, path, method: 'POST', agent, headers: type })
      // Sent in two pieces, so that its end arrives by a connection event.
      const text = JSON.stringify(body)
      sent.write(text.slice(0, 10))
      setTimeout(() => sent.end(text.slice(10)), 20)
      const [answer] = await once(sent, 'response')
      await once(answer.resume(), 'end')
      return String(answer.headers['x-request-id'])
    }
    setup.zota.breakDown({ malformed: 'html' })
    const start = '/customers/trading-accounts/start-deposit'
    const reqId = await send(start, await startBody(setup), { authorization: `Bearer ${token}` })
    const nobody = await send(start, {})
    agent.destroy()
    setup.zota.mend()
    const { workspaceId: workspace } = setup.system
    const below = lines().filter(({ msg }) => msg === 'payment start failed')
    assert.deepEqual(below.map(idsOf), [{ reqId, workspace, member: setup.member.memberId }])
    const requests = lines().filter(({ msg }) => msg === 'request')
    assert.deepEqual(requests.map(idsOf), [
      { reqId, workspace, member: setup.member.memberId },
      { reqId: nobody, workspace },
    ])
    for (const line of logLines) assertSaidOnce(line)
  })
})

describe('a job', () => {
  test('is identified in the log lines of its task, with its workspace and the request that enqueued it', async () => {
    const { context, system } = setup
    const { workspaceId: workspace } = system
    const [job, inner] = [newId(), newId()]
    const done: string[] = []
    await context.jobs.start({
      'forms.sweep-drafts': async ({ id }) => {
        await new Promise(setImmediate)
        context.log.warn({ note: id }, 'in a job')
        if (id === job)
          await inTransaction(system, (tx) =>
            context.jobs.enqueue(tx, 'forms.sweep-drafts', { workspaceId: workspace, id: inner }),
          )
        done.push(id)
      },
    })
    const [reqId, ...elsewhere] = [newId(), newId()]
    await withLogContext({ reqId, workspace, member: setup.member.memberId }, () =>
      inTransaction(system, (tx) =>
        context.jobs.enqueue(tx, 'forms.sweep-drafts', { workspaceId: workspace, id: job }),
      ),
    )
    // The request that wakes a worker is not the origin of the job.
    withLogContext({ reqId: String(elsewhere[0]) }, () => context.jobs.wake('forms.sweep-drafts'))
    await eventually('both are done', async () => done.length === 2)
    const queue = 'forms.sweep-drafts'
    const logged = lines().filter(({ msg }) => msg === 'in a job')
    assert.deepEqual(logged.map(idsOf), [
      { reqId, workspace, queue, job },
      { reqId, workspace, queue, job: inner },
    ])
    for (const line of logLines) assertSaidOnce(line)
  })

  test('names no request when none enqueued it', async () => {
    await askForSweep(setup.system, 'forms.sweep-drafts')
    setup.context.jobs.wake('forms.sweep-drafts')
    const mine = () => lines().filter(({ msg, note }) => msg === 'in a job' && note === setup.system.workspaceId)
    await eventually('it is done', async () => mine().length === 1)
    assert.equal(mine()[0]?.reqId, undefined)
    assert.equal(mine()[0]?.workspace, setup.system.workspaceId)
  })
})

test('a sweep logs its workspace, also when it fails', async () => {
  const { context, system } = setup
  const stop = startRepeating(context, 3_600_000, async () => {
    context.log.info({}, 'in a round')
    throw new Error('broken')
  })
  await eventually('it is logged', async () => lines().some(({ msg }) => msg === 'sweep failed'))
  stop()
  const { workspaceId: workspace } = system
  const logged = lines().filter(({ msg }) => msg === 'in a round' || msg === 'sweep failed')
  assert.deepEqual(logged.map(idsOf), [{ workspace }, { workspace }])
})

describe('work started by shared code', () => {
  const [ours, theirs] = [
    { reqId: 'ours', workspace: 'a' },
    { reqId: 'theirs', workspace: 'b' },
  ]

  test('is identified by its caller in a keyed queue', async () => {
    const queues = openKeyedQueues({ atOnce: 1 })
    const gate = Promise.withResolvers<void>()
    const seen: unknown[] = []
    const first = withLogContext(ours, () => queues.run('one', 'x', () => gate.promise))
    const second = withLogContext(theirs, () => queues.run('one', 'y', async () => void seen.push(logContext())))
    gate.resolve()
    await Promise.all([first, second])
    assert.deepEqual(seen, [theirs])
  })

  test('is identified by its caller in the queue of a platform', async () => {
    const queue = openQueue(realTime)
    const gate = Promise.withResolvers<void>()
    const seen: unknown[] = []
    const job = (run: () => Promise<void>) => ({ urgent: false, deadlineAt: Date.now() + 30_000, run })
    const first = withLogContext(ours, () => queue.add(job(() => gate.promise)))
    const second = withLogContext(theirs, () => queue.add(job(async () => void seen.push(logContext()))))
    gate.resolve()
    await Promise.all([first, second])
    assert.deepEqual(seen, [theirs])
  })

  test('has no ids on a connection’s timer, which outlives the call that set it', async () => {
    const seen = Promise.withResolvers<LogContext | undefined>()
    withLogContext(ours, () => realTime.after(1, () => seen.resolve(logContext())))
    // The connection's timers do not keep the process alive.
    const alive = setInterval(() => undefined, 1_000)
    assert.equal(await seen.promise, undefined)
    clearInterval(alive)
    assert.equal(
      withLogContext(ours, () => withoutLogContext(() => logContext())),
      undefined,
    )
  })

  test('has the workspace of all stream watchers, and not the request of the first', async () => {
    const database = openDatabase('postgres://nobody@127.0.0.1:1/nothing')
    const hub = openNotificationHub({ ...setup.context, database }, { checkStreamAccess })
    const { workspaceId: workspace, memberId: member } = setup.member
    const stream = withLogContext({ reqId: 'first', workspace, member }, () => hub.follow(setup.member, undefined))
    stream.resume()
    await eventually('it is logged', async () => lines().some(({ msg }) => msg === 'live notifications stopped'))
    hub.close()
    await database.close()
    assert.deepEqual(
      lines()
        .filter(({ msg }) => msg === 'live notifications stopped')
        .map(idsOf),
      [{ workspace }],
    )
  })
})

describe('a log line with its own ids', () => {
  const written: string[] = []
  const log = makeLog('info', { write: (line) => void written.push(line) })
  const about = { reqId: 'r', workspace: 'a', member: 'm' }
  const logged = (write: () => void): LogContext => {
    written.length = 0
    withLogContext(about, write)
    const [line = ''] = written
    assertSaidOnce(line)
    return idsOf(JSON.parse(line) as Line)
  }

  test('gains the missing ids, and none twice', () => {
    assert.deepEqual(
      logged(() => log.info({ workspace: 'a' }, 'x')),
      about,
    )
    assert.deepEqual(
      logged(() => log.child({ workspace: 'a', provider: 'p' }).info({}, 'x')),
      about,
    )
    assert.deepEqual(
      logged(() => log.child({ reqId: 'r' }).info({ member: 'm' }, 'x')),
      about,
    )
  })

  test('has no other ids when it is about another workspace or request', () => {
    assert.deepEqual(
      logged(() => log.child({ workspace: 'b' }).info({}, 'x')),
      { workspace: 'b' },
    )
    assert.deepEqual(
      logged(() => log.info({ reqId: 's' }, 'x')),
      { reqId: 's' },
    )
  })
})
