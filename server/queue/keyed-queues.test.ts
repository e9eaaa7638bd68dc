// spec: OP faults
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKeyedQueues } from './keyed-queues.ts'

/** Work that ends when the test says so. */
function held(log: string[], name: string) {
  const gate = Promise.withResolvers<void>()
  const work = async (): Promise<void> => {
    log.push(`${name} begins`)
    await gate.promise
    log.push(`${name} ends`)
  }
  return { work, end: gate.resolve, fail: gate.reject }
}

test('a full queue delays its own platform and no other', async () => {
  const queues = openKeyedQueues({ atOnce: 2 })
  const log: string[] = []
  const hanging = ['a', 'b', 'c'].map((name) => held(log, name))
  const tasks = hanging.map(({ work }, place) => queues.run('dead', String(place), work))
  for (let place = 0; place < 20; place += 1)
    await queues.run('sound', String(place), async () => void log.push('sound'))
  assert.deepEqual(log.slice(0, 2), ['a begins', 'b begins'])
  assert.equal(log.filter((line) => line === 'sound').length, 20)
  for (const { end } of hanging) end()
  await Promise.all(tasks)
  assert.equal(log.at(-1), 'c ends')
})

test('shares a waiting task, and runs a running one again after it ends', async () => {
  const queues = openKeyedQueues({ atOnce: 2 })
  const log: string[] = []
  const first = held(log, 'first')
  const running = queues.run('one', 'x', first.work)
  const again = [1, 2, 3].map(() => queues.run('one', 'x', async () => void log.push('again')))
  await queues.run('one', 'y', async () => void log.push('another'))
  assert.deepEqual(log, ['first begins', 'another'])
  first.end()
  await Promise.all([running, ...again])
  assert.deepEqual(log, ['first begins', 'another', 'first ends', 'again'])
})

test('reports a failed task to its caller and frees the slot', async () => {
  const queues = openKeyedQueues({ atOnce: 1 })
  await assert.rejects(
    queues.run('one', 'x', () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  const log: string[] = []
  await queues.run('one', 'x', async () => void log.push('next'))
  assert.deepEqual(log, ['next'])
})

test('stop waits for running tasks and drops waiting ones', async () => {
  const queues = openKeyedQueues({ atOnce: 1 })
  const log: string[] = []
  const first = held(log, 'first')
  const running = queues.run('one', 'x', first.work)
  const waiting = queues.run('one', 'y', async () => void log.push('never'))
  const stopped = queues.stop().then(() => log.push('stopped'))
  first.end()
  await Promise.all([running, waiting, stopped])
  await queues.run('one', 'z', async () => void log.push('never'))
  assert.deepEqual(log, ['first begins', 'first ends', 'stopped'])
})
