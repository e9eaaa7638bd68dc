// spec: MP 5, MP 7, AO 7
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as sample from '../../../tests/fixtures/sample-files.ts'
import { bytesOf, joinPieces, withBytes } from '../file-bytes.ts'
import { inspectFile } from './inspect.ts'

/** Also returns the joined content that would be stored. */
async function inspect(content: Buffer, extension: string) {
  const bytes = bytesOf(content)
  const inspection = await inspectFile(bytes, extension)
  return 'problem' in inspection ? inspection : { ...inspection, content: await joinPieces(bytes, inspection.pieces) }
}

const word = 'word/document.xml'
const sheet = 'xl/workbook.xml'
const text = (content: string) => Buffer.from(content, 'latin1')
const zip = sample.makeZip([{ name: 'a.txt' }])
const html = text('<!doctype html><script>alert(1)</script>')
const packedObject = {
  name: 'word/embeddings/oleObject1.bin',
  content: sample.makeCompound(['Root Entry', '\u0001Ole10Native']),
}
const program = Buffer.concat([text('MZ\x90\0'), Buffer.alloc(600)])

const good: [name: string, extension: string, content: Buffer][] = [
  ['a PNG', 'png', sample.makePng()],
  [
    'a PNG with text and location',
    'png',
    sample.makePng({
      extra: [
        ['tEXt', text('Comment\0<script>')],
        ['eXIf', text('GPS')],
      ],
    }),
  ],
  ['an animated PNG', 'png', sample.makePng({ extra: [['acTL', Buffer.alloc(8)]] })],
  ['a wide screenshot', 'png', sample.makePng({ width: 1080, height: 29_000 })],
  ['a JPEG', 'jpg', sample.makeJpeg()],
  ['a JPEG named .jpeg', 'jpeg', sample.makeJpeg()],
  ['a JPEG with Exif', 'jpg', sample.makeJpeg({ segments: [[0xe1, sample.makeExif(6)]] })],
  [
    'a JPEG with stuffed bytes and markers in its pixels',
    'jpg',
    sample.makeJpeg({ scan: Buffer.from('1234ff00abffd0cd', 'hex') }),
  ],
  ['a progressive JPEG', 'jpg', sample.makeJpeg({ segments: [[0xc4, Buffer.alloc(34)]] })],
  ['a phone picture with a second picture appended', 'jpg', sample.makeJpeg({ tail: sample.makeJpeg() })],
  ['a phone picture with a video appended', 'jpg', sample.makeJpeg({ tail: text('\0\0\0\x18ftypmp42....') })],
  [
    'a phone picture with maker notes appended',
    'jpg',
    sample.makeJpeg({ tail: text('\0\0\x01\x0aImage_UTC_Data1SEFHxSEFT') }),
  ],
  ['a JPEG padded with zeros', 'jpg', sample.makeJpeg({ tail: Buffer.alloc(64) })],
  ['a PDF', 'pdf', sample.makePdf()],
  ['a PDF 2.0', 'pdf', text('%PDF-2.0\n1 0 obj<<>>endobj\n%%EOF')],
  ['a PDF with an incremental update', 'pdf', sample.makePdf('1 0 obj<<>>endobj\n%%EOF\n2 0 obj<<>>endobj')],
  ['a PDF with blanks at its end', 'pdf', sample.makePdf(undefined, '\r\n\r\n\0\0')],
  [
    'a PDF with /JS by chance in compressed data',
    'pdf',
    sample.makePdf('4 0 obj<</Length 8>>stream\n/JS (a)\nendstream endobj'),
  ],
  ['an electronic invoice with embedded data', 'pdf', sample.makePdf('1 0 obj<</Type/EmbeddedFile>>endobj')],
  ['a PDF with a name that only begins like a forbidden one', 'pdf', sample.makePdf('1 0 obj<</JSize 3>>endobj')],
  ['a Word document', 'docx', sample.makeOffice(word)],
  [
    'a Word document with a picture',
    'docx',
    sample.makeOffice(word, [{ name: 'word/media/image1.png', content: sample.makePng() }]),
  ],
  ['an Excel spreadsheet', 'xlsx', sample.makeOffice(sheet)],
  ['an old Word document', 'doc', sample.makeCompound(['Root Entry', 'WordDocument'])],
  ['an old Excel spreadsheet', 'xls', sample.makeCompound(['Root Entry', 'Workbook'])],
  ['a video of a phone', 'mp4', sample.makeVideo()],
  ['a video of another phone', 'mov', sample.makeVideo({ brand: 'qt  ' })],
  ['a video recorded by a browser', 'webm', sample.makeWebm()],
  [
    'a PDF with harmless names across the border of two reads',
    'pdf',
    sample.makePdf(`1 0 obj<<${' '.repeat(100)}${'/JSize 3 '.repeat(20_000)}>>endobj`),
  ],
  [
    'a large PDF with much compressed data',
    'pdf',
    sample.makePdf(`4 0 obj<<>>stream\n${'/JS (a)'.repeat(40_000)}\nendstream`),
  ],
  ['a table', 'csv', text('date,amount\r\n2026-11-21,"1,250.00"\r\n')],
  ['a table in a Windows code page', 'csv', text('name;sum\nJos\xe9;1\n')],
  ['a table with a formula, which is only stored', 'csv', text('=1+1,2\n')],
]

const bad: [name: string, extension: string, content: Buffer][] = [
  ['a program named .pdf', 'pdf', program],
  ['a program named .png', 'png', program],
  ['a program named .csv', 'csv', program],
  ['a Linux program named .jpg', 'jpg', Buffer.concat([text('\x7fELF'), Buffer.alloc(600)])],
  ['a shell script named .csv', 'csv', text('#!/bin/sh\nrm -rf /\n')],
  ['a web page named .pdf', 'pdf', html],
  ['a web page named .csv', 'csv', html],
  ['a web page named .png', 'png', html],
  ['a web page', 'html', html],
  ['an SVG with a script', 'svg', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['an SVG named .png', 'png', text('<svg/>')],
  ['an SVG named .csv', 'csv', text('<svg onload=alert(1)>')],
  ['a program', 'exe', program],
  ['no extension', '', sample.makePng()],
  ['a PNG named .jpg, where only JPEG is accepted', 'jpg', sample.makePng()],
  ['a PNG named .pdf', 'pdf', sample.makePng()],
  ['a JPEG named .png', 'png', sample.makeJpeg()],
  ['a PDF named .png', 'png', sample.makePdf()],
  ['a GIF named .jpg', 'jpg', text('GIF89a\x01\0\x01\0\0\0\0;')],
  ['a WebP named .png', 'png', text('RIFF\x24\0\0\0WEBPVP8 ')],
  ['a truncated PNG', 'png', sample.makePng().subarray(0, -5)],
  ['only the first bytes of a PNG', 'png', sample.makePng().subarray(0, 8)],
  ['a PNG with a web page appended', 'png', Buffer.concat([sample.makePng(), html])],
  ['a PNG with a ZIP appended', 'png', Buffer.concat([sample.makePng(), zip])],
  [
    'a PNG with a broken checksum',
    'png',
    Buffer.from(sample.makePng().map((byte, at) => (at === 20 ? byte ^ 1 : byte))),
  ],
  ['a PNG without pixels', 'png', Buffer.concat([sample.makePng().subarray(0, 33), sample.makePng().subarray(-12)])],
  ['a PNG of no width', 'png', sample.makePng({ width: 0 })],
  ['a PNG of 50,000 by 50,000', 'png', sample.makePng({ width: 50_000, height: 50_000 })],
  ['a PNG of 30,001 by 1', 'png', sample.makePng({ width: 30_001, height: 1 })],
  ['a JPEG with a web page appended', 'jpg', sample.makeJpeg({ tail: html })],
  ['a JPEG with a ZIP appended', 'jpg', sample.makeJpeg({ tail: zip })],
  ['a JPEG with a program appended', 'jpg', sample.makeJpeg({ tail: program })],
  ['a JPEG without a frame', 'jpg', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')],
  ['a JPEG of 65,000 by 65,000', 'jpg', sample.makeJpeg({ width: 65_000, height: 65_000 })],
  ['a JPEG of five colours', 'jpg', sample.makeJpeg({ components: 5 })],
  ['a JPEG that repeats its height', 'jpg', sample.makeJpeg({ scan: Buffer.from('00ffdc0004ffff', 'hex') })],
  ['a JPEG whose tables continue elsewhere', 'jpg', sample.makeJpeg({ segments: [[0xc4, Buffer.alloc(18, 1)]] })],
  ['a JPEG with truncated tables', 'jpg', sample.makeJpeg({ segments: [[0xdb, Buffer.alloc(60)]] })],
  ['the first three bytes of a JPEG', 'jpg', Buffer.from('ffd8ff', 'hex')],
  ['a PDF that contains a web page', 'pdf', sample.makePdf('<html><script>alert(1)</script></html>')],
  ['a PDF with a ZIP appended', 'pdf', Buffer.concat([sample.makePdf(), zip])],
  [
    'a PDF with a zip in its last part',
    'pdf',
    Buffer.concat([sample.makePdf(), zip.subarray(0, -2), Buffer.from([6, 0]), text('%%EOF\n')]),
  ],
  ['a PDF with data before its header', 'pdf', Buffer.concat([text('junk\n'), sample.makePdf()])],
  ['a PDF without an end', 'pdf', text('%PDF-1.7\n1 0 obj<<>>endobj')],
  ['a PDF with a web page after its end', 'pdf', sample.makePdf(undefined, '\n<b>hello</b>')],
  ['a PDF that runs a script', 'pdf', sample.makePdf('1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj')],
  ['a PDF that encodes its script', 'pdf', sample.makePdf('1 0 obj<</OpenAction<</S/#4a#61vaScript>>>>endobj')],
  ['a PDF that starts a program', 'pdf', sample.makePdf('1 0 obj<</S/Launch/F(cmd.exe)>>endobj')],
  ['a ZIP named .docx', 'docx', zip],
  ['a ZIP named .pdf', 'pdf', zip],
  ['a spreadsheet named .docx', 'docx', sample.makeOffice(sheet)],
  ['a document named .xlsx', 'xlsx', sample.makeOffice(word)],
  ['a document named .doc', 'doc', sample.makeOffice(word)],
  ['a document with macros', 'docx', sample.makeOffice(word, [{ name: 'word/vbaProject.bin' }])],
  ['a spreadsheet with macros', 'xlsx', sample.makeOffice(sheet, [{ name: 'xl/vbaProject.bin' }])],
  ['a document with a packed object', 'docx', sample.makeOffice(word, [packedObject])],
  ['a document with a program', 'docx', sample.makeOffice(word, [{ name: 'word/update.exe' }])],
  ['a document with paths outside its folder', 'docx', sample.makeOffice(word, [{ name: '../../etc/passwd' }])],
  [
    'a document that unpacks to ten gigabytes',
    'docx',
    sample.makeOffice(
      word,
      Array.from({ length: 3 }, (_, at) => ({ name: `${at}.xml`, claimedBytes: 4_000_000_000 })),
    ),
  ],
  [
    'a spreadsheet of 10,000 parts',
    'xlsx',
    sample.makeOffice(
      sheet,
      Array.from({ length: 10_000 }, (_, at) => ({ name: `xl/${at}.xml` })),
    ),
  ],
  ['a document with data before it', 'docx', Buffer.concat([text('MZ'), sample.makeOffice(word)])],
  ['a document with appended data', 'docx', Buffer.concat([sample.makeOffice(word), text('x')])],
  ['an old document with macros', 'doc', sample.makeCompound(['WordDocument', '_VBA_PROJECT'])],
  ['an installer named .doc', 'doc', sample.makeCompound(['Root Entry', 'Binary.Custom'])],
  ['an old spreadsheet named .doc', 'doc', sample.makeCompound(['Root Entry', 'Workbook'])],
  ['a video with a web page appended', 'mp4', sample.makeVideo({ tail: html })],
  ['a video with a ZIP appended', 'mp4', sample.makeVideo({ tail: zip })],
  ['a truncated video', 'mp4', sample.makeVideo().subarray(0, -1)],
  ['a video of one format named as another', 'mov', sample.makeVideo()],
  ['rich text named .csv', 'csv', text('{\\rtf1\\ansi hello}')],
  ['a video named .webm', 'webm', sample.makeVideo()],
  ['a recording named .mp4', 'mp4', sample.makeWebm()],
  ['a recording with a ZIP appended', 'webm', sample.makeWebm(zip)],
  ['a program named .mp4', 'mp4', program],
  [
    'a PDF that runs a script far inside',
    'pdf',
    sample.makePdf(`${'1 0 obj<<>>endobj '.repeat(20_000)}<</S/JavaScript>>`),
  ],
  [
    'a PDF with a web page after a stream without an end',
    'pdf',
    sample.makePdf(`stream ${'x'.repeat(200_000)} <script>alert(1)</script>`),
  ],
  ['a table with a web page far inside', 'csv', text(`${'a,b\n'.repeat(50_000)}<${' '.repeat(70_000)}script>`)],
  ['a table with a NUL', 'csv', text('a,b\0c\n')],
]

describe('inspectFile', () => {
  assert.ok(good.length + bad.length >= 60)
  for (const [name, extension, content] of good) {
    it(`accepts ${name}`, async () => assert.ok('content' in (await inspect(content, extension))))
  }
  for (const [name, extension, content] of bad) {
    it(`refuses ${name}`, async () => assert.ok('problem' in (await inspect(content, extension))))
  }

  it('removes place and device from a picture and preserves its orientation', async () => {
    for (const order of ['II', 'MM'] as const) {
      const notes: [number, Buffer][] = [
        [0xe1, sample.makeExif(6, order)],
        [0xfe, text('secret note')],
        [0xed, text('Photoshop place')],
      ]
      const taken = await inspect(sample.makeJpeg({ segments: notes }), 'jpg')
      assert.ok('content' in taken)
      assert.doesNotMatch(taken.content.toString('latin1'), /GPS|secret|place/)
      const again = await inspect(taken.content, 'jpg')
      assert.ok('content' in again && again.content.equals(taken.content))
      assert.ok(taken.content.includes(Buffer.from('011200030000000100060000', 'hex')))
    }
    const png = await inspect(
      sample.makePng({
        extra: [
          ['eXIf', text('GPS')],
          ['zTXt', text('place')],
        ],
      }),
      'png',
    )
    assert.ok('content' in png && png.content.equals(sample.makePng()))
  })

  it('removes place and device from a film without moving any offset', async () => {
    const film = sample.makeVideo()
    const taken = await inspect(film, 'mp4')
    assert.ok('content' in taken)
    assert.doesNotMatch(taken.content.toString('latin1'), /59\.43|Phone/)
    assert.equal(taken.content.length, film.length)
    assert.equal(taken.content.indexOf('mdat'), film.indexOf('mdat'))
    const again = await inspect(taken.content, 'mp4')
    assert.ok('content' in again && again.content.equals(taken.content))
  })

  it('cuts away content before and after a file', async () => {
    const contentOf = async (content: Buffer, extension: string) => {
      const taken = await inspect(content, extension)
      assert.ok('content' in taken)
      return taken.content
    }
    const [pdf, jpeg] = [sample.makePdf(), sample.makeJpeg()]
    for (const around of ['\xef\xbb\xbf', '\r\n', '\n\n\n'])
      assert.ok((await contentOf(Buffer.concat([text(around), pdf]), 'pdf')).equals(pdf))
    for (const behind of ['\0'.repeat(3_000), '<!-- served in 0.3 s -->'])
      assert.ok((await contentOf(Buffer.concat([pdf, text(behind)]), 'pdf')).equals(pdf))
    const whole = await contentOf(jpeg, 'jpg')
    for (const tail of [text('vivo{"com.android.camera":{}}'), text('\n'), Buffer.alloc(32, 0xff)])
      assert.ok((await contentOf(Buffer.concat([jpeg, tail]), 'jpg')).equals(whole))
    assert.ok((await contentOf(jpeg.subarray(0, -2), 'jpg')).equals(whole))
  })

  it('gives the same result for a file on disk and for the same bytes in memory', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-inspect-'))
    try {
      for (const [at, [name, extension, content]] of [...good, ...bad].entries()) {
        const path = join(folder, String(at))
        writeFileSync(path, content)
        const inMemory = await inspect(content, extension)
        await withBytes(path, async (bytes) => {
          const found = await inspectFile(bytes, extension)
          assert.equal('problem' in found, 'problem' in inMemory, name)
          if (!('problem' in found) && 'content' in inMemory)
            assert.ok((await joinPieces(bytes, found.pieces)).equals(inMemory.content), name)
        })
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('never throws for any bytes', async () => {
    const seeds = [
      sample.makePng(),
      sample.makeJpeg({ segments: [[0xe1, sample.makeExif(3)]] }),
      sample.makePdf(),
      sample.makeOffice(word),
      sample.makeVideo(),
      sample.makeWebm(),
    ]
    const extensions = ['png', 'jpg', 'pdf', 'docx', 'mp4', 'webm']
    const mutation = fc.tuple(
      fc.nat(5),
      fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 6 }),
      fc.nat(2_000),
    )
    await fc.assert(
      fc.asyncProperty(mutation, async ([which, changes, cut]) => {
        const content = Buffer.from((seeds[which] ?? Buffer.alloc(0)).subarray(0, cut < 1_000 ? cut : undefined))
        for (const [at, byte] of changes) if (content.length > 0) content[at % content.length] = byte
        await inspect(content, extensions[which] ?? '')
      }),
      { numRuns: 3_000 },
    )
  })
})
