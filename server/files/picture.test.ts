import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { JpegImage } from 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs'
import * as sample from '../../tests/fixtures/sample-files.ts'
import { Unavailable } from '../foundation/errors.ts'
import { bytesOf, joinPieces } from './file-bytes.ts'
import { inspectFile } from './inspection/inspect.ts'
import type { JpegCoding } from './inspection/jpeg.ts'
import { openPictures } from './picture.ts'

/** The picture with an Exif block that holds the orientation. */
function turned(jpeg: Buffer, orientation: number): Buffer {
  const body = sample.makeExif(orientation)
  const head = Buffer.from('ffd8ffe10000', 'hex')
  head.writeUInt16BE(body.length + 2, 4)
  return Buffer.concat([head, body, jpeg.subarray(2)])
}

/** The mean difference of two pictures of one size over all pixels and colours. */
function distance(...pictures: (Buffer | null)[]): number {
  const [one, other] = pictures.map((content) => {
    const picture = new JpegImage()
    picture.parse(content ?? Buffer.alloc(0))
    return picture.getData({ width: picture.width, height: picture.height, forceRGB: true })
  })
  assert.ok(one && other)
  let sum = 0
  for (const [at, value] of one.entries()) sum += Math.abs(value - (other[at] ?? 0))
  return sum / one.length
}

describe('a re-encoded picture', () => {
  let folder: string
  const pictures = openPictures()
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-picture-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  async function redraw(content: Buffer, format: 'png' | 'jpeg', coding?: JpegCoding) {
    const [from, to, smallTo] = ['from', 'to', 'small'].map((name) => join(folder, name)) as [string, string, string]
    writeFileSync(from, content)
    const size = await pictures.redraw({ from, to, smallTo, format, coding })
    const read = (path: string) => (existsSync(path) ? readFileSync(path) : null)
    const drawn = { size, picture: read(to), small: read(smallTo) }
    for (const path of [from, to, smallTo]) rmSync(path, { force: true })
    return drawn
  }
  async function sizeOf(content: Buffer | null, extension: string) {
    const found = content && (await inspectFile(bytesOf(content), extension))
    assert.ok(found && !('problem' in found))
    return found.size
  }

  it('has its pixels and no other data of the upload', async () => {
    const secret = Buffer.from('secret place')
    const jpeg = sample.makeJpeg({
      width: 40,
      height: 20,
      segments: [
        [0xe1, sample.makeExif(1)],
        [0xfe, secret],
        [0xe2, secret],
      ],
    })
    const png = sample.makePng({
      width: 30,
      height: 50,
      extra: [['tEXt', Buffer.concat([Buffer.from('Comment\0'), secret])]],
    })
    for (const [content, format, extension, size] of [
      [jpeg, 'jpeg', 'jpg', { width: 40, height: 20 }],
      [png, 'png', 'png', { width: 30, height: 50 }],
    ] as const) {
      const drawn = await redraw(content, format)
      assert.deepEqual(drawn.size, size)
      assert.deepEqual(await sizeOf(drawn.picture, extension), size)
      assert.doesNotMatch(drawn.picture?.toString('latin1') ?? '', /secret|GPS|Exif/)
      assert.deepEqual(await sizeOf(drawn.small, 'jpg'), size)
    }
  })

  it('is upright according to its Exif orientation', async () => {
    const lying = sample.makeJpeg({ width: 64, height: 32, segments: [[0xe1, sample.makeExif(6)]] })
    const drawn = await redraw(lying, 'jpeg')
    assert.deepEqual(drawn.size, { width: 32, height: 64 })
    assert.deepEqual(await sizeOf(drawn.picture, 'jpg'), { width: 32, height: 64 })
  })

  it('has a thumbnail no larger than lists need', async () => {
    const drawn = await redraw(sample.makePng({ width: 1_200, height: 300 }), 'png')
    assert.deepEqual(await sizeOf(drawn.small, 'jpg'), { width: 480, height: 120 })
  })

  it('is reduced if it is larger than a KYC document needs', async () => {
    const drawn = await redraw(sample.makeJpeg({ width: 4_960, height: 7_016 }), 'jpeg')
    assert.deepEqual(drawn.size, { width: 3_363, height: 4_757 })
    assert.deepEqual(await sizeOf(drawn.picture, 'jpg'), drawn.size)
    assert.deepEqual(await sizeOf(drawn.small, 'jpg'), { width: 339, height: 480 })
  })

  it('may be a CMYK picture', async () => {
    const adobe: [number, Buffer] = [0xee, Buffer.from('Adobe\0d\0\0\0\0\x02', 'latin1')]
    const print = sample.makeJpeg({ width: 40, height: 20, components: 4, segments: [adobe] })
    const drawn = await redraw(print, 'jpeg', { isCmyk: true, isCutShort: false })
    assert.deepEqual(await sizeOf(drawn.picture, 'jpg'), { width: 40, height: 20 })
  })

  it('is the same by the decoder for large pictures, in every orientation', async () => {
    const { picture } = await redraw(sample.makePng({ width: 300, height: 200, isNoise: true }), 'png')
    const noise = picture && (await redraw(picture, 'png')).small
    assert.ok(noise)
    for (const orientation of [1, 4, 6, 8]) {
      const lying = turned(noise, orientation)
      const found = await inspectFile(bytesOf(lying), 'jpg')
      assert.ok(!('problem' in found) && found.coding)
      assert.equal(found.coding.orientation, orientation)
      const cleaned = await joinPieces(bytesOf(lying), found.pieces)
      const usual = await redraw(cleaned, 'jpeg', found.coding)
      const large = await redraw(cleaned, 'jpeg', { ...found.coding, isLarge: true })
      assert.deepEqual(large.size, usual.size, String(orientation))
      assert.ok(distance(usual.picture, large.picture) < 3, String(orientation))
    }
  })

  it('may lack its end mark but no pixels', async () => {
    const { small } = await redraw(sample.makePng({ width: 400, height: 300, isNoise: true }), 'png')
    assert.ok(small)
    for (const [cut, isTaken] of [
      [2, true],
      [1, true],
      [Math.round(small.length / 2), false],
      [400, false],
    ] as const) {
      const bytes = bytesOf(small.subarray(0, -cut))
      const found = await inspectFile(bytes, 'jpg')
      assert.ok(!('problem' in found) && found.coding?.isCutShort, String(cut))
      const drawn = await redraw(await joinPieces(bytes, found.pieces), 'jpeg', found.coding)
      assert.equal(drawn.size !== null, isTaken, String(cut))
    }
  })

  it('is refused when it cannot be decoded, and leaves no file', async () => {
    const whole = sample.makePng({ width: 200, height: 200 })
    const wrong: [Buffer, 'png' | 'jpeg'][] = [
      [Buffer.from('no picture'), 'png'],
      [Buffer.alloc(0), 'jpeg'],
      [whole, 'jpeg'],
      [sample.makeJpeg(), 'png'],
      // The header states more pixels than the data holds.
      [sample.makePng({ width: 3_000, height: 3_000 }), 'png'],
    ]
    for (const [content, format] of wrong) {
      const drawn = await redraw(content, format)
      assert.deepEqual([drawn.size, drawn.picture, drawn.small], [null, null, null], format)
    }
    assert.ok((await redraw(whole, 'png')).size)
  })

  it('gives Unavailable, not an unreadable picture, when the disk is full', async () => {
    const [from, to, smallTo] = ['from', 'full', 'small'].map((name) => join(folder, name)) as [string, string, string]
    writeFileSync(from, sample.makePng({ width: 20, height: 20 }))
    for (const full of [to, smallTo]) {
      // Linux's device for a disk that is always full.
      symlinkSync('/dev/full', full)
      await assert.rejects(pictures.redraw({ from, to, smallTo, format: 'png' }), Unavailable)
      assert.deepEqual(readdirSync(folder), ['from'])
    }
    assert.ok(await pictures.redraw({ from, to, smallTo, format: 'png' }))
  })
})
