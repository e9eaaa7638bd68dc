import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { saveBlob } from './save-blob.ts'

it('keeps the address of a download until the browser has fetched it', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const [link, revoked] = [{ href: '', download: '', click: mock.fn() }, [] as string[]]
  Object.assign(globalThis, { document: { createElement: () => link } })
  mock.method(URL, 'createObjectURL', () => 'blob:one')
  mock.method(URL, 'revokeObjectURL', (address: string) => revoked.push(address))
  saveBlob(new Blob(['a']), 'codes.txt')
  assert.deepEqual([link.href, link.download, link.click.mock.callCount()], ['blob:one', 'codes.txt', 1])
  mock.timers.tick(10_000)
  assert.deepEqual(revoked, [])
  mock.timers.tick(60_000)
  assert.deepEqual(revoked, ['blob:one'])
  Reflect.deleteProperty(globalThis, 'document')
  mock.timers.reset()
  mock.restoreAll()
})
