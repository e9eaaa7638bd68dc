import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member } from '../actor.ts'
import { makeWatchers, type Watcher } from './stream-watchers.ts'

const memberOf = (workspaceId: string, memberId: string) => ({ workspaceId, memberId }) as Member
const isFull = { code: 'too_many_requests', details: { retryAfterSeconds: 30 } }

/** Streams of different members of one brokerage. */
const admitAll = (watchers: ReturnType<typeof makeWatchers<null>>, workspace: string, count: number) =>
  Array.from({ length: count }, (_, at) => watchers.admit(memberOf(workspace, `${workspace} ${at}`), null))

async function readAll({ stream }: Watcher<null>): Promise<string> {
  return (await stream.readable.toArray()).join('')
}

test('a brokerage may take all streams, and gives up its newest ones for a brokerage with fewer', async () => {
  const watchers = makeWatchers<null>({ streamsMax: 6 })
  const large = admitAll(watchers, 'large', 6)
  const ended = large.slice(3).map(readAll)
  const small = admitAll(watchers, 'small', 3)
  for (const text of await Promise.all(ended)) assert.match(text, /event: end\ndata: \{"code":"too_many_requests"\}/)
  for (const one of [...large.slice(0, 3), ...small]) assert.equal(one.stream.readable.closed, false)
  for (const workspace of ['large', 'small'])
    assert.throws(() => watchers.admit(memberOf(workspace, 'one more'), null), isFull)
  assert.equal(watchers.count(), 6)
  watchers.admit(memberOf('third', 'only one'), null)
  assert.deepEqual([...watchers.ofWorkspaces()].map(([workspace, own]) => [workspace, own.length]).sort(), [
    ['large', 2],
    ['small', 3],
    ['third', 1],
  ])
  watchers.close('unavailable')
  assert.equal(watchers.isEmpty(), true)
  assert.equal(watchers.ofWorkspaces().size, 0)
})

test('a stream that its reader closed makes room', async () => {
  const watchers = makeWatchers<null>({ streamsMax: 1 })
  const [first] = admitAll(watchers, 'one', 1)
  assert.throws(() => watchers.admit(memberOf('other', 'somebody'), null), isFull)
  first?.stream.readable.destroy()
  await new Promise((resolve) => setImmediate(resolve))
  watchers.admit(memberOf('other', 'somebody'), null)
  watchers.close('unavailable')
})
