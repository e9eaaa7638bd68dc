import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { ApiError } from '../../api/api-error.ts'
import { offerProof } from '../../api/proof.ts'
import { createSessionStore } from '../../api/session-store.ts'
import { startTransport } from '../../api/transport.ts'
import { saveArchive } from './save-archive.ts'

it('a file that needs a proof of identity is asked for again after the proof, and not without it', async () => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined } as never
  startTransport({
    session: createSessionStore('test', storage),
    onSignedOut: () => undefined,
    onMustEnrol: () => undefined,
  })
  const link = { href: '', download: '', click: () => undefined }
  const document = { querySelector: () => null, createElement: () => link }
  Object.assign(globalThis, { document, location: new URL('http://harbour.localhost/') })
  mock.method(URL, 'createObjectURL', () => 'blob:archive')
  mock.timers.enable({ apis: ['setTimeout'] })
  let isProven = false
  const asked = mock.method(globalThis, 'fetch', async () =>
    isProven
      ? new Response('archive')
      : Response.json({ code: 'proof_required', error: 'Confirm that it is you.' }, { status: 403 }),
  )
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
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name)
  mock.timers.reset()
  mock.restoreAll()
})
