import { fileTypeFromBuffer } from 'file-type'
import { type FileBytes, type Piece, wholeOf } from './file-bytes.ts'
import { isWebm, readFilm } from './film.ts'
import { readJpeg } from './jpeg.ts'
import { endsAsZip, isQuietOfficeCompound, isQuietOfficeZip } from './office.ts'
import { isQuietPdf } from './pdf.ts'
import { isPlainTable } from './plain-text.ts'
import { type Picture, readPng } from './png.ts'

/** What is kept of an upload: pictures and films come out without what their maker did not mean to send. */
export type Inspected = {
  pieces: Piece[]
  kind: 'image' | 'file' | 'video'
  contentType: string
  /** Of a picture, by its header. */
  size?: { width: number; height: number }
}
export type Inspection = Inspected | { problem: 'wrong-type' | 'too-many-pixels' }

/** More than any phone's usual picture; fewer than would fill the memory while it is drawn anew (picture.ts). */
const pixelsMax = 32_000_000
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
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
}

/** What the library calls the content of each extension. It is asked about the head only: it must not unpack anything. */
const familyOf: Record<string, string[]> = {
  png: ['png', 'apng'],
  jpg: ['jpg'],
  jpeg: ['jpg'],
  pdf: ['pdf'],
  doc: ['cfb'],
  xls: ['cfb'],
  mp4: ['mp4', 'm4v', '3gp'],
  mov: ['mov'],
  webm: ['webm'],
}
export const headBytes = 4_100

const wrongType = { problem: 'wrong-type' } as const

/** Judges a file by its content; the extension only says what the content must be. */
export async function inspectFile(bytes: FileBytes, extension: string): Promise<Inspection> {
  const contentType = contentTypes[extension]
  if (contentType === undefined || !(await isOfFamily(await bytes.read(0, headBytes), extension))) return wrongType
  const isZip = extension === 'docx' || extension === 'xlsx'
  if (!isZip && (await endsAsZip(bytes))) return wrongType
  if (extension === 'png' || extension === 'jpg' || extension === 'jpeg') {
    const picture = await (extension === 'png' ? readPng(bytes) : readJpeg(bytes))
    return picture ? judgePicture(picture, contentType) : wrongType
  }
  if (extension === 'mp4' || extension === 'mov') {
    const pieces = await readFilm(bytes)
    return pieces ? { pieces, kind: 'video', contentType } : wrongType
  }
  if (!(await isQuiet(bytes, extension))) return wrongType
  return { pieces: wholeOf(bytes), kind: extension === 'webm' ? 'video' : 'file', contentType }
}

/**
 * Whether the first bytes of a file can be those of its kind: asked while the rest is still coming in. Office files of today
 * begin as any zip does.
 */
export async function isOfFamily(head: Buffer, extension: string): Promise<boolean> {
  if (extension === 'docx' || extension === 'xlsx') return head.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004'
  const found = await fileTypeFromBuffer(head.subarray(0, headBytes))
  return extension === 'csv' ? found === undefined : (familyOf[extension] ?? []).includes(found?.ext ?? '')
}

/** By the header alone: nothing is ever decoded here. */
function judgePicture({ pieces, width, height }: Picture, contentType: string): Inspection {
  if (width < 1 || height < 1) return wrongType
  if (width > sideMax || height > sideMax || width * height > pixelsMax) return { problem: 'too-many-pixels' }
  return { pieces, kind: 'image', contentType, size: { width, height } }
}

async function isQuiet(bytes: FileBytes, extension: string): Promise<boolean> {
  if (extension === 'docx' || extension === 'xlsx') return isQuietOfficeZip(bytes, extension)
  if (extension === 'doc' || extension === 'xls') return isQuietOfficeCompound(bytes, extension)
  if (extension === 'pdf') return isQuietPdf(bytes)
  if (extension === 'webm') return isWebm(bytes)
  return extension === 'csv' && isPlainTable(bytes)
}
