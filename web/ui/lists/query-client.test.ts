import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

const web = dirname(dirname(import.meta.dirname))
const sources = globSync('{api,desk,features,portal,ui,viewer}/**/*.{ts,tsx}', { cwd: web })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(web, path), 'utf8') }))
const placesOf = (pattern: RegExp): string[] => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

afterEach(() => onlineManager.setOnline(true))

describe('a mutation', () => {
  it('fails immediately when made offline, and does not run once the network is back', async () => {
    let tries = 0
    const change = new MutationObserver(queryClient, {
      mutationFn: async () => {
        tries += 1
        throw new Error('offline')
      },
    })
    onlineManager.setOnline(false)
    const sending = change.mutate()
    assert.equal(change.getCurrentResult().isPaused, false)
    await assert.rejects(sending, /offline/)
    onlineManager.setOnline(true)
    await queryClient.resumePausedMutations()
    assert.equal(tries, 1)
  })

  it('has no network mode of its own in any app', () => {
    assert.ok(placesOf(/\buseMutation\(/).length > 30, 'the mutations are not found')
    assert.deepEqual(placesOf(/networkMode/), ['ui/lists/query-client.ts'])
    assert.deepEqual(placesOf(/new QueryClient\b/), ['ui/lists/query-client.ts'])
    assert.deepEqual(placesOf(/setDefaultOptions|setMutationDefaults|persistQueryClient|resumePausedMutations/), [])
  })

  it('uses no keepalive request or beacon, except to end a session', () => {
    assert.deepEqual(placesOf(/sendBeacon|serviceWorker|BackgroundFetch|\.sync\.register/), [])
    assert.deepEqual(placesOf(/keepalive: true/), ['api/sign-out.ts'])
  })
})

it('the app leaves a page through one module only, so that its own navigation skips the unsaved guard', () => {
  assert.deepEqual(placesOf(/location\.(assign|replace|reload)\(|location(\.href)? = /), ['ui/forms/leave-page.ts'])
  assert.deepEqual(placesOf(/document\.createElement\('form'\)/), ['features/funding/deposit/follow-redirect.ts'])
  // As a plain link, it leads to the page that was open when it was rendered.
  assert.deepEqual(placesOf(/href=\{location\.href\}/), ['ui/feedback/reload-link.tsx'])
})
