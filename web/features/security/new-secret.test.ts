import assert from 'node:assert/strict'
import { it } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { newSecret } from './new-secret.ts'

it('stays the same while its dialog is open, whatever is read again', async () => {
  const client = new QueryClient()
  let started = 0
  const options = newSecret(async () => `secret ${++started}`, 'dialog')
  const observer = new QueryObserver(client, options)
  const stop = observer.subscribe(() => undefined)
  await client.getQueryCache().find({ queryKey: options.queryKey })?.promise
  await client.invalidateQueries()
  assert.deepEqual([observer.getCurrentResult().data, started], ['secret 1', 1])
  stop()
  client.clear()
})
