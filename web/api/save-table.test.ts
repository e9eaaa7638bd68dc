import assert from 'node:assert/strict'
import { it } from 'node:test'
import { memoryStorage, openPage } from '../page-under-test.ts'
import { ApiError } from './api-error.ts'
import { saveTable } from './save-table.ts'
import { createSessionStore } from './session-store.ts'

it('a table that is refused because the session has ended leads to the sign-in, as any call does', async () => {
  const session = createSessionStore('test', memoryStorage())
  session.write({ token: 'token', userId: 'member' })
  let ended = 0
  const refuse = async () =>
    Response.json({ code: 'unauthenticated', error: 'Your session has ended.' }, { status: 401 })
  const closePage = openPage(refuse, { session, onSignedOut: () => (ended += 1) })
  await assert.rejects(
    saveTable('/transactions.csv', {}, 'transactions.csv'),
    (error) => error instanceof ApiError && error.code === 'unauthenticated',
  )
  assert.equal(ended, 1)
  assert.equal(session.whyOver(), 'Your session has ended.')
  closePage()
})
