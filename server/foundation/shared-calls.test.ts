import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedCalls } from './shared-calls.ts'

test('makes two calls for many concurrent requests, and each answer is newer than its request', async () => {
  const share = openSharedCalls()
  const open = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let calls = 0
  const ask = () => share('order', () => open[calls++]?.promise ?? assert.fail('a third call'))
  const first = ask()
  const others = Array.from({ length: 20 }, ask)
  assert.equal(calls, 1)
  open[0]?.resolve('earlier')
  assert.equal(await first, 'earlier')
  open[1]?.resolve('later')
  assert.deepEqual(new Set(await Promise.all(others)), new Set(['later']))
  assert.equal(calls, 2)
})

test('a failed call fails its sharers and no later caller', async () => {
  const share = openSharedCalls()
  const fails = () => Promise.reject(new Error('away'))
  const both = [share('order', fails), share('order', () => Promise.resolve('there'))]
  await assert.rejects(both[0] ?? Promise.resolve(), /away/)
  assert.equal(await both[1], 'there')
  assert.equal(await share('order', () => Promise.resolve('again')), 'again')
})

test('where two run at once, one without an answer holds up no other', async () => {
  const share = openSharedCalls(2)
  const hanging = Promise.withResolvers<string>()
  const first = share('order', () => hanging.promise)
  assert.equal(await share('order', () => Promise.resolve('second')), 'second')
  let calls = 0
  const ask = () =>
    share('order', async () => {
      calls += 1
      return `call ${calls}`
    })
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['call 1', 'call 2', 'call 2'])
  hanging.resolve('late')
  assert.equal(await first, 'late')
})
