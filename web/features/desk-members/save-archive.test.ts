import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { ApiError } from '../../api/api-error.ts'
import { offerProof } from '../../api/proof.ts'
import { createSessionStore } from '../../api/session-store.ts'
import { memoryStorage, openPage } from '../../page-under-test.ts'
import { saveArchive } from './save-archive.ts'

it('a file that needs a proof of identity is asked for again after the proof, and not without it', async () => {
  const link = { href: '', download: '', click: () => undefined }
  const document = { querySelector: () => null, createElement: () => link }
  mock.timers.enable({ apis: ['setTimeout'] })
  let isProven = false
  const asked = mock.fn(async () =>
    isProven
      ? new Response('archive')
      : Response.json({ code: 'proof_required', error: 'Confirm that it is you.' }, { status: 403 }),
  )
  const closePage = openPage(asked, { session: createSessionStore('test', memoryStorage()), globals: { document } })
  mock.method(URL, 'createObjectURL', () => 'blob:archive')
  const save = () => saveArchive('/desk/api/members/1/export', 'member.zip')
  const withdraw = offerProof(async () => isProven)
  await assert.rejects(save(), (error) => error instanceof ApiError && error.code === 'proof_required')
  assert.deepEqual([asked.mock.callCount(), link.download], [1, ''])
  offerProof(async () => {
    isProven = true
    return true
  })
  await save()
  assert.deepEqual([asked.mock.callCount(), link.download], [3, 'member.zip'])
  withdraw()
  closePage()
  mock.timers.reset()
})
