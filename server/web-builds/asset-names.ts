import { extname } from 'node:path'
import { pdfFrameData } from '@atrium/contract/files/pdf-frame.ts'

/** A kind that is not here is not handed out for another build, whatever the storage says. */
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

/** A name with the hash of what is in it, as web/vite.config.ts has them made: no other name means the same in every build. */
const hashed = /^[\w.-]{1,100}-[0-9a-f]{8}(\.[a-z0-9]{1,8})$/

/** What comes with pdf.js lies below the version of it. */
const versioned = /^\d{1,4}\.\d{1,4}\.\d{1,6}\/[a-z_]{1,40}\/[\w.-]{1,100}(\.[a-z0-9]{1,8})$/

const pdfData = pdfFrameData.replace('/assets/', '')

/** Below `/assets/`, in the very letters of the address: nothing that would have to be decoded is a name. */
export function isAssetName(name: string): boolean {
  const isLaidBeside = name.startsWith(pdfData)
  const [, extension] = (isLaidBeside ? versioned.exec(name.slice(pdfData.length)) : hashed.exec(name)) ?? []
  return extension !== undefined && extension in types
}

export const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream'

/**
 * The frame of PDFs has no origin, so that to a browser even our own scripts are somebody else's: those that its page names,
 * and the data of fonts, may be read by any. They are code that everybody can have.
 */
export function openNames(frame: string | null): (name: string) => boolean {
  const named = new Set(frame?.match(/(?<=\/assets\/)[\w./-]+/g))
  return (name) => named.has(name) || name.startsWith(pdfData)
}
