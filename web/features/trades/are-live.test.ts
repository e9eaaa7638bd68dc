import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onlineManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { areLive } from './are-live.ts'

it('positions are not live once they can no longer be read', async () => {
  const client = new QueryClient()
  let answer: () => Promise<{ is_live: boolean }> = () => Promise.resolve({ is_live: true })
  const options = { queryKey: ['positions'], queryFn: () => answer(), retry: false }
  const observer = new QueryObserver(client, options)
  const stop = observer.subscribe(() => undefined)
  const afterReading = async () => {
    await observer.refetch()
    return areLive(observer.getCurrentResult())
  }
  assert.equal(await afterReading(), true)
  answer = () => Promise.reject(new Error('The server does not answer.'))
  assert.equal(await afterReading(), false)
  answer = () => Promise.resolve({ is_live: true })
  assert.equal(await afterReading(), true)
  onlineManager.setOnline(false)
  void observer.refetch()
  assert.equal(areLive(observer.getCurrentResult()), false)
  onlineManager.setOnline(true)
  assert.equal(await afterReading(), true)
  answer = () => Promise.resolve({ is_live: false })
  assert.equal(await afterReading(), false)
  stop()
  client.clear()
})
