import { fileTypeFromBuffer } from 'file-type'
import { readJpeg } from './jpeg.ts'
import { endsAsZip, isQuietOfficeCompound, isQuietOfficeZip } from './office.ts'
import { isQuietPdf } from './pdf.ts'
import { type Picture, readPng } from './png.ts'

/** What is kept of an upload: pictures come out without what their maker did not mean to send. */
export type Inspected = {
  content: Buffer
  kind: 'image' | 'file'
  contentType: string
  /** Of a picture, by its header. */
  size?: { width: number; height: number }
}
export type Inspection = Inspected | { problem: 'wrong-type' | 'too-many-pixels' }

/** More than any phone's usual picture; fewer than would fill the memory of whoever looks at it. */
const pixelsMax = 65_000_000
const sideMax = 30_000

const contentTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  pdf: 'application/pdf',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/** What the library calls the content of each extension. It is asked about the head only: it must not unpack anything. */
const familyOf: Record<string, string[]> = {
  png: ['png', 'apng'],
  jpg: ['jpg'],
  jpeg: ['jpg'],
  pdf: ['pdf'],
  doc: ['cfb'],
  xls: ['cfb'],
}
const headBytes = 4_100

/** Judges a file by its content; the extension only says what the content must be. */
export async function inspectFile(content: Buffer, extension: string): Promise<Inspection> {
  const contentType = contentTypes[extension]
  if (contentType === undefined || !(await isOfFamily(content, extension))) return { problem: 'wrong-type' }
  if (extension === 'docx' || extension === 'xlsx') {
    return isQuietOfficeZip(content, extension) ? { content, kind: 'file', contentType } : { problem: 'wrong-type' }
  }
  if (endsAsZip(content)) return { problem: 'wrong-type' }
  const picture = readPicture(content, extension)
  if (picture) return judgePicture(picture, contentType)
  return isQuietDocument(content, extension) ? { content, kind: 'file', contentType } : { problem: 'wrong-type' }
}

async function isOfFamily(content: Buffer, extension: string): Promise<boolean> {
  if (extension === 'docx' || extension === 'xlsx') return content.length > 100
  const found = await fileTypeFromBuffer(content.subarray(0, headBytes))
  return extension === 'csv' ? found === undefined : (familyOf[extension] ?? []).includes(found?.ext ?? '')
}

function readPicture(content: Buffer, extension: string): Picture | null {
  if (extension === 'png') return readPng(content)
  return extension === 'jpg' || extension === 'jpeg' ? readJpeg(content) : null
}

/** By the header alone: nothing is ever decoded here. */
function judgePicture({ content, width, height }: Picture, contentType: string): Inspection {
  if (width < 1 || height < 1) return { problem: 'wrong-type' }
  if (width > sideMax || height > sideMax || width * height > pixelsMax) return { problem: 'too-many-pixels' }
  return { content, kind: 'image', contentType, size: { width, height } }
}

function isQuietDocument(content: Buffer, extension: string): boolean {
  if (extension === 'pdf') return isQuietPdf(content)
  if (extension === 'doc' || extension === 'xls') return isQuietOfficeCompound(content, extension)
  return extension === 'csv' && isPlainTable(content)
}

const markup = /<\s*(script|html|svg|iframe|body|!doctype|\?xml|\?php)/i

/** A table of text in any encoding that keeps ASCII: no control characters, nothing that a browser or shell would run. */
function isPlainTable(content: Buffer): boolean {
  const hasControls = content.some(
    (byte) => (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f,
  )
  if (hasControls) return false
  const text = content.toString('latin1')
  return !markup.test(text) && !text.startsWith('#!') && !text.startsWith('%PDF')
}
