import { fileTypeFromBuffer } from 'file-type'
import { isCompound } from './compound.ts'
import { afterRemarks } from './plain-text.ts'

/** Enough bytes to recognise a file type. */
export const headBytes = 4_100

const sameKind: Record<string, string> = { apng: 'png', m4v: 'mp4', '3gp': 'mp4' }
/** Beginnings of text files that are not tables. */
const texts: [RegExp, string][] = [
  [/^(<!doctype html|<html|<head|<body|<script)/i, 'html'],
  [/^(<!doctype svg[^>]*>\s*)?<svg[\s/>]/i, 'svg'],
  [/^#!/, 'sh'],
  [/^(From: <Saved by|MIME-Version:[\s\S]*multipart\/related)/i, 'mht'],
  [/^(Received|Return-Path|Delivered-To|MIME-Version|X-[\w-]+): /i, 'eml'],
]
/** The names of an office file's parts appear uncompressed before each part. */
const zipParts: [RegExp, string][] = [
  [/AndroidManifest\.xml/, 'apk'],
  [/META-INF\/MANIFEST\.MF/, 'jar'],
  [/PK.{28}word\//s, 'docx'],
  [/PK.{28}xl\//s, 'xlsx'],
  [/PK.{28}ppt\//s, 'pptx'],
  [/Index\/\w+\.iwa/, 'pages'],
]

/**
 * The file type by its first bytes, as its usual extension; `text` may be a table, null is unknown. Does not unpack a zip; an old
 * office file is `cfb`.
 */
export async function kindOfHead(head: Buffer): Promise<string | null> {
  const text = head.toString('latin1')
  if (/^(\xef\xbb\xbf)?[\s\0]*%PDF-/.test(text)) return 'pdf'
  if (isCompound(head)) return 'cfb'
  const isZip = text.startsWith('PK\x03\x04')
  const found = (await fileTypeFromBuffer(head.subarray(0, headBytes)))?.ext as string | undefined
  if (isZip) return zipParts.find(([part]) => part.test(text))?.[1] ?? (isOpenDocument(found) ? found : 'zip')
  const content = afterRemarks(afterRemarks(text.replace(/^\xef\xbb\xbf/, '')).replace(/^<\?xml[^>]*>/, ''))
  const written = texts.find(([start]) => start.test(content))?.[1]
  if (written !== undefined && (found === undefined || found === 'xml')) return written
  if (found !== undefined) return sameKind[found] ?? found
  return isText(head) ? 'text' : null
}

const isOpenDocument = (found: string | undefined): found is string =>
  found !== undefined && /^od[tsp]$|^epub$/.test(found)

/** UTF-16 text, as Excel writes it, begins with a byte order mark. */
function isText(head: Buffer): boolean {
  const mark = head.toString('hex', 0, 2)
  return mark === 'fffe' || mark === 'feff' || !head.includes(0)
}
