import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { makeEventStream } from './event-stream.ts'

it('writes events in the standard format and ends after the last one', async () => {
  const { readable, send, keepAlive, end } = makeEventStream()
  const said = readable.toArray()
  assert.ok(send('figures', { text: 'two\nlines' }))
  keepAlive()
  end('end', { code: 'unavailable' })
  assert.ok(!send('figures', {}))
  const text = (await said).join('')
  assert.equal(
    text,
    'retry: 3000\n\nevent: figures\ndata: {"text":"two\\nlines"}\n\n: still here\n\nevent: end\ndata: {"code":"unavailable"}\n\n',
  )
})

it('cuts a reader who does not read, instead of buffering', async () => {
  const { readable, send } = makeEventStream()
  const closed = once(readable, 'close')
  const piece = { text: 'x'.repeat(10_000) }
  let sent = 0
  while (sent < 100 && send('figures', piece)) sent += 1
  await closed
  assert.ok(sent > 10 && sent < 40, `${sent} events of 10,000 characters`)
  assert.ok(!send('figures', piece))
})
