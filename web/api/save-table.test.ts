import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { ApiError } from './api-error.ts'
import { saveTable } from './save-table.ts'
import { createSessionStore } from './session-store.ts'
import { startTransport } from './transport.ts'

it('a table that is refused because the session has ended leads to the sign-in, as any call does', async () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  } as Storage
  const session = createSessionStore('test', storage)
  session.write({ token: 'token', userId: 'member' })
  let ended = 0
  startTransport({ session, onSignedOut: () => (ended += 1), onMustEnrol: () => undefined })
  Object.assign(globalThis, { document: { querySelector: () => null }, location: new URL('http://harbour.localhost/') })
  mock.method(globalThis, 'fetch', async () =>
    Response.json({ code: 'unauthenticated', error: 'Your session has ended.' }, { status: 401 }),
  )
  await assert.rejects(
    saveTable('/transactions.csv', {}, 'transactions.csv'),
    (error) => error instanceof ApiError && error.code === 'unauthenticated',
  )
  assert.equal(ended, 1)
  assert.equal(session.whyOver(), 'Your session has ended.')
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
  mock.restoreAll()
})
