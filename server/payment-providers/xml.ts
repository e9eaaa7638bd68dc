import { SaxesParser } from 'saxes'

/** More than any provider sends, and cheap to parse. */
const charsMax = 100_000
const elementsMax = 200
const depthMax = 8

/** Texts by path, such as `result/error_code`. An empty element is an empty text. */
export type Texts = ReadonlyMap<string, string>

/**
 * Reads a small document of a provider. Null for a malformed one, a document type or entity declaration, excessive
 * depth or length, or a duplicate element, which two parsers might read differently.
 */
export function readXml(text: string): Texts | null {
  if (text.length > charsMax) return null
  const texts = new Map<string, string>()
  const path: string[] = []
  const parser = new SaxesParser()
  const stop = (): never => {
    throw new Unreadable()
  }
  parser.on('error', stop)
  parser.on('doctype', stop)
  parser.on('opentag', ({ name }) => {
    path.push(name)
    const place = path.join('/')
    if (path.length > depthMax || texts.size >= elementsMax || texts.has(place)) stop()
    texts.set(place, '')
  })
  const add = (more: string): void => {
    const place = path.join('/')
    texts.set(place, `${texts.get(place) ?? ''}${more}`)
  }
  parser.on('text', (more) => path.length > 0 && add(more))
  parser.on('cdata', add)
  parser.on('closetag', () => void path.pop())
  try {
    // Some servers send an empty line before the declaration.
    parser.write(text.trim()).close()
  } catch (problem) {
    if (problem instanceof Unreadable) return null
    throw problem
  }
  return texts
}

class Unreadable extends Error {}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes a text between two tags. Characters that XML cannot represent are removed. */
export const xmlText = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '').replace(/[&<>"']/g, (sign) => escapes[sign] ?? '')
