import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { startStorage } from '../../tests/doubles/bucket.ts'
import type { Bucket, Config } from '../config.ts'
import { Unavailable } from '../foundation/errors.ts'
import type { ProgramLog } from '../observability/log.ts'
import { openFileStore } from './open-store.ts'
import { openBucketStore } from './s3-store.ts'
import { asUnavailable, type FileStore, openFolderStore } from './store.ts'

let storage: Awaited<ReturnType<typeof startStorage>>
let folder: string
const stores: Record<string, FileStore> = {}

before(async () => {
  storage = await startStorage()
  folder = mkdtempSync(join(tmpdir(), 'atrium-store-'))
  stores.folder = openFolderStore(join(folder, 'files'))
  stores.bucket = openBucketStore(storage.bucket, { pageKeysMax: 5 })
})
after(async () => {
  for (const store of Object.values(stores)) await store.close()
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 251))

/** Avoids deepEqual, whose diff of 70,000 bytes takes gigabytes. */
function assertSame(found: Buffer | null, expected: Buffer): void {
  assert.ok(found?.equals(expected), `${found?.length} bytes instead of ${expected.length}, or other ones`)
}

async function keysIn(store: FileStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.sort()
}

const contentOf = async (found: Promise<Readable | null>) => {
  const stream = await found
  return stream && (await buffer(stream))
}

for (const name of ['folder', 'bucket']) {
  describe(`files in a ${name}`, () => {
    const store = () => stores[name] as FileStore

    it('returns what was written, whole and in parts', async () => {
      await store().write('a/one', bytes)
      const path = join(folder, 'spooled')
      writeFileSync(path, bytes)
      await store().write('a/two', { path })
      for (const key of ['a/one', 'a/two']) {
        assertSame(await contentOf(store().read(key)), bytes)
        assertSame(await contentOf(store().read(key, { from: 0, to: 1 })), bytes.subarray(0, 2))
        assertSame(await contentOf(store().read(key, { from: 500, to: 69_999 })), bytes.subarray(500))
      }
    })

    it('returns null for a missing file, before the write and after the removal', async () => {
      assert.equal(await store().read('b/none'), null)
      await store().write('b/gone', bytes)
      await store().remove('b/gone')
      await store().remove('b/gone')
      assert.equal(await store().read('b/gone'), null)
      assert.deepEqual(await keysIn(store(), 'b'), [])
    })

    it('lists every file under a prefix and no other, over several pages', async () => {
      const keys = Array.from({ length: 17 }, (_, at) => `c/k${String(at).padStart(4, '0')}`)
      for (const key of keys) await store().write(key, Buffer.from('x'))
      await store().write('cc/beside', Buffer.from('x'))
      await store().write('c2/inner/one', Buffer.from('x'))
      assert.equal((await keysIn(store(), 'c')).join(), keys.join())
      assert.deepEqual(await keysIn(store(), 'c2'), ['c2/inner/one'])
    })

    it('rejects a key that leads outside the store', async () => {
      for (const key of ['../a', '/etc/passwd', 'a/../../b', '', 'A', 'a//b', 'a?b', 'a/b/c/d/e']) {
        await assert.rejects(async () => store().read(key), /not a key/)
        await assert.rejects(async () => store().write(key, bytes), /not a key/)
        await assert.rejects(async () => store().remove(key), /not a key/)
      }
    })

    it('keeps the older file when the new content cannot be read to its end', async () => {
      await store().write('d/kept', bytes)
      await assert.rejects(store().write('d/kept', { path: join(folder, 'absent') }))
      assertSame(await contentOf(store().read('d/kept')), bytes)
      assert.deepEqual(await keysIn(store(), 'd'), ['d/kept'])
    })
  })
}

it('reports an unreachable bucket as Unavailable, and recovers', async () => {
  const store = stores.bucket as FileStore
  await store.write('e/before', bytes)
  await storage.stop()
  await assert.rejects(store.read('e/before'), Unavailable)
  await assert.rejects(store.write('e/during', bytes), Unavailable)
  await assert.rejects(store.write('e/during', { path: writtenFile() }), Unavailable)
  await assert.rejects(store.remove('e/before'), Unavailable)
  await assert.rejects(keysIn(store, 'e'), Unavailable)
  await storage.start()
  assertSame(await contentOf(store.read('e/before')), bytes)
  assert.deepEqual(await keysIn(store, 'e'), ['e/before'])
})

function writtenFile(): string {
  const path = join(folder, 'during')
  writeFileSync(path, bytes)
  return path
}

it('reports refused credentials as Unavailable, without the key in the message', async () => {
  const wrong = openBucketStore({ ...storage.bucket, accessKeyId: 'UNKNOWN', secretAccessKey: 'secret-of-nobody' })
  await assert.rejects(wrong.read('e/before'), (problem: Error) => {
    assert.ok(problem instanceof Unavailable)
    return !`${problem.message}${problem.stack}`.includes('secret-of-nobody')
  })
  await assert.rejects(wrong.prepare(), { message: /^The bucket refused the request \(InvalidAccessKeyId\)$/ })
  await wrong.close()
})

it('creates a missing bucket once, and reports why it may not', async () => {
  const absent = { ...storage.bucket, name: 'made-at-the-start' }
  // Of many concurrent starts, some find no bucket and are too late to create it.
  const beginning = Array.from({ length: 8 }, () => openBucketStore(absent))
  const [one, other] = beginning as [(typeof beginning)[0], (typeof beginning)[0]]
  const states = await Promise.all(beginning.map((store) => store.prepare()))
  assert.ok(states.includes('made'), String(states))
  assert.equal(await one.prepare(), 'there')
  await one.write('e/first', bytes)
  assertSame(await contentOf(other.read('e/first')), bytes)
  const unfit = openBucketStore({ ...storage.bucket, name: 'No_Bucket' })
  await assert.rejects(unfit.prepare(), {
    message: /^There is no bucket, and these keys may not make it \(InvalidBucketName\)$/,
  })
  for (const store of [...beginning, unfit]) await store.close()
})

it('logs at the start that it created the bucket, or why it cannot be used, in one line', async () => {
  const opened: Promise<FileStore>[] = []
  const linesOf = (bucket: Bucket) =>
    new Promise<unknown[]>((resolve) => {
      const note = (...said: unknown[]) => resolve(said)
      opened.push(openFileStore({ bucket } as Config, { info: note, error: note } as unknown as ProgramLog))
    })
  const made = await linesOf({ ...storage.bucket, name: 'made-by-a-start' })
  assert.deepEqual(made, [{ bucket: 'made-by-a-start' }, 'The bucket for uploaded files was created'])
  const refused = await linesOf({ ...storage.bucket, accessKeyId: 'UNKNOWN' })
  assert.deepEqual(refused, [
    { bucket: storage.bucket.name, reason: 'The bucket refused the request (InvalidAccessKeyId)' },
    'The bucket for uploaded files cannot be used (S3_BUCKET)',
  ])
  for (const store of await Promise.all(opened)) await store.close()
})

it('separates temporary disk problems from faults of our own', () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  assert.ok(asUnavailable(full) instanceof Unavailable)
  const ours = Object.assign(new Error('is a directory'), { code: 'EISDIR' })
  assert.equal(asUnavailable(ours), ours)
})

it('leaves one name of a local file that is written twice', async () => {
  const path = join(folder, 'twice')
  writeFileSync(path, bytes)
  for (let round = 0; round < 2; round++) await stores.folder?.write('twice/one', { path })
  assert.deepEqual(readdirSync(join(folder, 'files', 'twice')), ['one'])
})

it('replaces a file that a crash cut short', async () => {
  const path = join(folder, 'whole')
  writeFileSync(path, bytes)
  const store = stores.folder as FileStore
  await store.write('cut/one', bytes.subarray(0, 100))
  await store.settle?.(path)
  await store.write('cut/one', { path, isFlushed: true })
  assertSame(await contentOf(store.read('cut/one')), bytes)
  assert.deepEqual(readdirSync(join(folder, 'files', 'cut')), ['one'])
})

it('leaves no partial file in a folder', () => {
  const names = readdirSync(join(folder, 'files'), { recursive: true }).map(String)
  assert.deepEqual(
    names.filter((entry) => entry.includes('draft')),
    [],
  )
})
