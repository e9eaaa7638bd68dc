import type { FileProblem } from '@atrium/contract/files/problems.ts'
import { type FileBytes, type Piece, wholeOf } from '../file-bytes.ts'
import { compoundKind, compoundProblem } from './compound.ts'
import { headBytes, kindOfHead } from './content-kind.ts'
import { type JpegCoding, readJpeg } from './jpeg.ts'
import { readOffice } from './office.ts'
import { readPdf } from './pdf.ts'
import { hasTrailingFile } from './picture-tail.ts'
import { problemOfTextTable } from './plain-text.ts'
import { readPng } from './png.ts'
import { isWebm, readVideo } from './video.ts'
import { endsAsZip } from './zip.ts'

/** The parts of an upload to store: pictures and films without their metadata. */
export type Inspected = {
  pieces: Piece[]
  kind: 'image' | 'file' | 'video'
  /** The extension of the content; the name may have another. */
  extension: string
  contentType: string
  /** The size of a picture by its header. */
  size?: Size
  coding?: JpegCoding
}
type Size = { width: number; height: number }
/** Why it is refused: the wrong type (named if known), too many pixels, or a defect. */
export type Refused =
  | { problem: 'wrong-type'; found: string | null }
  | { problem: 'too-many-pixels'; size: Size; pixelsMax: number }
  | { problem: FileProblem }
export type Inspection = Inspected | Refused

/** A phone picture of 50 megapixels, or A4 at 600 dpi; decoding takes up to 20 bytes per pixel (picture.ts). */
const pixelsMax = 51_000_000
/** A phone JPEG of 108 megapixels: the other decoder takes at most nine bytes per pixel. */
const largePixelsMax = 110_000_000
const sideMax = 30_000

const contentTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
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

/** Extensions that a text table may have: banks export text tables with the extension of a spreadsheet. */
const tableNames = new Set(['csv', 'xls', 'xlsx'])

/**
 * Judges a file by its content. If the content is an allowed type other than its name says, it is accepted as that type; by default
 * only the type of the name is allowed.
 */
export async function inspectFile(
  bytes: FileBytes,
  extension: string,
  allowed: readonly string[] = [extension],
): Promise<Inspection> {
  const head = Buffer.from(await bytes.read(0, headBytes))
  const found = await kindOfHead(head)
  const wrongType = { problem: 'wrong-type', found } as const
  if (!contentTypes[usual(extension)] || !canBe(found, allowed, extension)) return wrongType
  const judged = await judge(bytes, found, extension)
  if ('problem' in judged) return judged
  return allowed.some((name) => usual(name) === judged.extension) ? judged : { ...wrongType, found: judged.extension }
}

const usual = (extension: string): string => (extension === 'jpeg' ? 'jpg' : extension)

/** Whether a file that starts like this can be of an allowed type; checked while the rest is still arriving. */
export function canBe(found: string | null, allowed: readonly string[], extension: string): boolean {
  const isAllowed = (...names: string[]) => allowed.some((name) => names.includes(usual(name)))
  if (found === 'zip') return isAllowed('docx', 'xlsx')
  if (found === 'cfb') return isAllowed('doc', 'xls', 'docx', 'xlsx')
  if (found === 'text') return isAllowed('csv') && tableNames.has(extension)
  return found !== null && isAllowed(found)
}

async function judge(bytes: FileBytes, found: string | null, extension: string): Promise<Inspection> {
  if (found === 'zip' || found === 'docx' || found === 'xlsx') return judgeOffice(bytes)
  if (found === 'cfb') return judgeCompound(bytes, extension)
  const isMixed = await endsAsZip(bytes)
  if (found === 'png' || found === 'jpg') return isMixed ? { problem: 'picture-mixed' } : judgePicture(bytes, found)
  if (found === 'pdf') return isMixed ? { problem: 'pdf-mixed' } : judgePdf(bytes)
  if (found === 'text') {
    const problem = isMixed ? 'table-mixed' : await problemOfTextTable(bytes)
    return problem ? { problem } : whole(bytes, 'csv')
  }
  if (found === 'mp4' || found === 'mov') {
    const pieces = isMixed ? null : await readVideo(bytes)
    return pieces ? { ...whole(bytes, found), kind: 'video', pieces } : { problem: 'film-broken' }
  }
  const isVideo = !isMixed && (await isWebm(bytes))
  return isVideo ? { ...whole(bytes, 'webm'), kind: 'video' } : { problem: 'film-broken' }
}

function whole(bytes: FileBytes, extension: string): Inspected {
  return { pieces: wholeOf(bytes), kind: 'file', extension, contentType: contentTypes[extension] ?? '' }
}

/** Judges by the header alone; this process decodes nothing. */
async function judgePicture(bytes: FileBytes, extension: 'png' | 'jpg'): Promise<Inspection> {
  const jpeg = extension === 'jpg' ? await readJpeg(bytes) : null
  const picture = jpeg ?? (extension === 'png' ? await readPng(bytes) : null)
  if (!picture) return { problem: 'picture-broken' }
  const { pieces, width, height, end } = picture
  if (width < 1 || height < 1) return { problem: 'picture-broken' }
  if (await hasTrailingFile(bytes, end)) return { problem: 'picture-mixed' }
  const size = { width, height }
  const most = jpeg && !jpeg.coding.isCmyk ? largePixelsMax : pixelsMax
  const pixels = width * height
  if (width > sideMax || height > sideMax || pixels > most) return { problem: 'too-many-pixels', size, pixelsMax: most }
  const coding = jpeg && { ...jpeg.coding, isLarge: pixels > pixelsMax }
  return { ...whole(bytes, extension), kind: 'image', pieces, size, ...(coding && { coding }) }
}

async function judgePdf(bytes: FileBytes): Promise<Inspection> {
  const read = await readPdf(bytes)
  return 'problem' in read ? read : { ...whole(bytes, 'pdf'), pieces: read }
}

async function judgeOffice(bytes: FileBytes): Promise<Inspection> {
  const read = await readOffice(bytes)
  if ('problem' in read) return read
  return read.kind && contentTypes[read.kind]
    ? whole(bytes, read.kind)
    : { problem: 'wrong-type', found: read.kind ?? 'zip' }
}

async function judgeCompound(bytes: FileBytes, extension: string): Promise<Inspection> {
  const kind = await compoundKind(bytes, extension)
  const problem = await compoundProblem(bytes)
  if (problem && (kind !== null || problem === 'office-protected')) return { problem }
  return kind && contentTypes[kind] ? whole(bytes, kind) : { problem: 'wrong-type', found: kind }
}
