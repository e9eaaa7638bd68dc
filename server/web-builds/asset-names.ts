import { extname } from 'node:path'
import { pdfFrameData } from '@atrium/contract/files/pdf-frame.ts'

/** Files of other types are not served for another build, whatever the storage says. */
const types: Record<string, string> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
}

/** A name with a content hash, as web/vite.config.ts generates: only such a name means the same in every build. */
const hashed = /^[\w.-]{1,100}-[0-9a-f]{8}(\.[a-z0-9]{1,8})$/

/** The files of pdf.js are in a folder named by its version. */
const versioned = /^\d{1,4}\.\d{1,4}\.\d{1,6}\/[a-z_]{1,40}\/[\w.-]{1,100}(\.[a-z0-9]{1,8})$/

const pdfData = pdfFrameData.replace('/assets/', '')

/** Checks the raw path below `/assets/`: an encoded name is never valid. */
export function isAssetName(name: string): boolean {
  const isLaidBeside = name.startsWith(pdfData)
  const [, extension] = (isLaidBeside ? versioned.exec(name.slice(pdfData.length)) : hashed.exec(name)) ?? []
  return extension !== undefined && extension in types
}

export const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream'

/**
 * The PDF frame has an opaque origin, so even our scripts are cross-origin for it: the scripts of its page and the font
 * data allow any origin. All of it is public code.
 */
export function openNames(frame: string | null): (name: string) => boolean {
  const named = new Set(frame?.match(/(?<=\/assets\/)[\w./-]+/g))
  return (name) => named.has(name) || name.startsWith(pdfData)
}
