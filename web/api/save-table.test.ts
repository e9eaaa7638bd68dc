import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { memoryStorage, openPage } from '../page-under-test.ts'
import { ApiError } from './api-error.ts'
import { offerProof } from './proof.ts'
import { saveAnswer, saveTable } from './save-table.ts'
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

it('a file that needs a proof of identity is asked for again after the proof, and not without it', async () => {
  const link = { href: '', download: '', click: () => undefined }
  mock.method(URL, 'createObjectURL', () => 'blob:archive')
  mock.timers.enable({ apis: ['setTimeout'] })
  let isProven = false
  let asked = 0
  const serve = async () => {
    asked += 1
    return isProven
      ? new Response('archive')
      : Response.json({ code: 'proof_required', error: 'Confirm that it is you.' }, { status: 403 })
  }
  const closePage = openPage(serve, {
    globals: { document: { querySelector: () => null, createElement: () => link } },
  })
  const save = () => saveAnswer({ path: '/desk/api/members/1/export', method: 'POST', name: 'member.zip' })
  const withdraw = offerProof(async () => isProven)
  await assert.rejects(save(), (error) => error instanceof ApiError && error.code === 'proof_required')
  assert.deepEqual([asked, link.download], [1, ''])
  offerProof(async () => {
    isProven = true
    return true
  })
  await save()
  assert.deepEqual([asked, link.download], [3, 'member.zip'])
  withdraw()
  closePage()
  mock.timers.reset()
})
