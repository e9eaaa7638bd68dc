import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { takeChunks, windowBytes, withBytes, writeDigested, writeNew } from './file-bytes.ts'

/** A chunk with its own buffer, as network chunks have. */
const chunkOf = (mark: string): Buffer => Buffer.from(new TextEncoder().encode(mark.repeat(50_000)).buffer)

/** A stream with all chunks buffered before the first is read. */
function waiting(chunks: Buffer[]): Readable {
  const stream = new Readable({ read: () => undefined })
  for (const chunk of chunks) stream.push(chunk)
  stream.push(null)
  return stream
}

test('passes the chunks of a stream on unchanged, however many are buffered', async () => {
  const chunks = ['a', 'b', 'c'].map(chunkOf)
  const taken: Buffer[] = []
  await takeChunks(waiting(chunks), (chunk) => {
    taken.push(chunk)
    return taken.length === 2 ? setTimeout(1) : undefined
  })
  assert.equal(taken.length, 3)
  for (const [at, chunk] of chunks.entries()) assert.ok(taken[at] === chunk)
})

test('writes chunks to disk and releases their memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bytes-'))
  const path = join(folder, 'a')
  // More than one write gathers.
  const marks = [...'abcdefghijklm']
  const chunks = marks.map(chunkOf)
  const written = await writeDigested(path, (write) => takeChunks(waiting(chunks), write))
  assert.deepEqual(
    chunks.map(({ byteLength }) => byteLength),
    marks.map(() => 0),
  )
  const content = readFileSync(path)
  assert.equal(content.toString('latin1'), marks.map((mark) => mark.repeat(50_000)).join(''))
  assert.deepEqual(written, { sizeBytes: content.length, sha256: createHash('sha256').update(content).digest() })
  rmSync(folder, { recursive: true })
})

test('holds no more than some hundred chunks, however small they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bytes-'))
  const path = join(folder, 'a')
  const heldMost: number[] = []
  const sizeBytes = await writeNew(path, async (write) => {
    for (let sent = 1; sent <= 2_000; sent += 1) {
      await write(Buffer.from('a'))
      heldMost.push(sent - statSync(path).size)
    }
  })
  assert.deepEqual([sizeBytes, statSync(path).size], [2_000, 2_000])
  assert.ok(Math.max(...heldMost) < 500)
  rmSync(folder, { recursive: true })
})

test('rejects with the error of a chunk handler or of the stream', async () => {
  const full = new Error('The disk is full')
  let taken = 0
  const stream = waiting(['a', 'b'].map(chunkOf))
  const taking = takeChunks(stream, async () => {
    taken += 1
    throw full
  })
  await assert.rejects(taking, full)
  assert.deepEqual([taken, stream.destroyed, stream.errored], [1, true, null])
  const broken = new Readable({ read: () => undefined })
  broken.push(chunkOf('a'))
  const breaking = takeChunks(broken, async () => void broken.destroy(full))
  await assert.rejects(breaking, full)
})

test('reads any window of a file, also while the next ones are read ahead', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-bytes-'))
  const path = join(folder, 'a')
  const content = Buffer.from(Uint32Array.from({ length: 900_001 }, (_, at) => at).buffer)
  writeFileSync(path, content)
  await withBytes(path, async (bytes) => {
    const check = async (at: number, length: number) =>
      assert.ok((await bytes.read(at, length)).equals(content.subarray(at, at + length)), `${length} at ${at}`)
    const steps = [windowBytes, windowBytes - 64, 9_000, -windowBytes, -9_000]
    for (const step of steps)
      for (let at = step > 0 ? 0 : content.length; at >= 0 && at <= content.length; at += step) {
        await check(at, windowBytes)
        // Elsewhere now and then, as for a packed object: near, before, and near the end.
        if (at % 11 === 0) await check(Math.min(at + 20_000, content.length), 400)
        if (at % 13 === 0) await check(Math.floor(at / 2), windowBytes)
        if (at % 17 === 0) await check(content.length - 100_000, windowBytes)
        if (at % 19 === 0) await check(at, 3 * windowBytes)
      }
  })
  rmSync(folder, { recursive: true })
})
