import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { texts } from '@atrium/contract/texts.ts'
import { memoryStorage, openPage } from '../page-under-test.ts'

Object.assign(globalThis, { sessionStorage: memoryStorage() })
const { portalSession } = await import('../features/session/portal-session.ts')
const { fetchAnswer } = await import('../api/transport.ts')
const { signedOut } = await import('./signed-out.ts')
const { startFrame } = await import('./start-frame.ts')

let closePage: () => void
beforeEach(() => {
  closePage = openPage(() => Response.json({ code: 'unauthenticated', error: texts.requestFailed }, { status: 401 }))
})
afterEach(() => closePage())

it('leaves the end of the session to the page around the frame, which shares its storage', async () => {
  portalSession.write({ token: 'ended', userId: 'somebody' })
  startFrame()
  await assert.rejects(fetchAnswer({ method: 'GET', path: '/graph' }))
  assert.equal(signedOut.isOut(), true)
  // Only a page that still holds the token takes the refusal of its own next call for the end of its session.
  assert.equal(portalSession.read()?.token, 'ended')
})

it('reports the activity of the member, which the page around the frame does not see', () => {
  assert.match(readFileSync(join(import.meta.dirname, 'form-frame.tsx'), 'utf8'), /\buseActivity\(\)/)
})
