import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { unpackWoff } from './woff.ts'

/** A run of text in one font. */
export type Run = { font: FontName; text: string }
export type FontName = 'body' | 'bold' | 'any'

/**
 * DejaVu covers most names (Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian); Unifont covers the other
 * scripts of the basic plane, including Chinese, Japanese, Korean, Thai and Indian ones. Both are open source.
 */
const files: Record<FontName, string> = {
  body: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
  bold: '@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff',
  any: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
}

type Opened = { content: Buffer; font: Font }
const opened = new Map<FontName, Opened>()

/** Loaded on first use and cached: Unifont is large, and most names do not need it. */
function openFont(name: FontName): Opened {
  const known = opened.get(name)
  if (known) return known
  const content = unpackWoff(readFileSync(fileURLToPath(import.meta.resolve(files[name]))))
  const found = { content, font: create(content) as Font }
  opened.set(name, found)
  return found
}

export const contentOf = (name: FontName): Buffer => openFont(name).content
const canWrite = (name: FontName, code: number): boolean => openFont(name).font.hasGlyphForCodePoint(code)

/** Replaces a letter that no font has. */
const unknownLetter = '\ufffd'
/** Control and joining characters: they print nothing, and can disguise a name. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/** Splits a text by the fonts that can write it, so that names show no boxes and do not break the page. */
export function splitByFont(text: string, wanted: 'body' | 'bold' = 'body'): Run[] {
  const runs: Run[] = []
  for (const letter of text.normalize('NFC').replace(invisible, '')) {
    const code = letter.codePointAt(0) ?? 0
    const font = canWrite(wanted, code) ? wanted : canWrite('any', code) ? 'any' : null
    const last = runs.at(-1)
    const written = font === null ? unknownLetter : letter
    // A blank belongs to the run before it.
    const used = letter === ' ' && last ? last.font : (font ?? wanted)
    if (last?.font === used) last.text += written
    else runs.push({ font: used, text: written })
  }
  return runs.flatMap(inWritingOrder)
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const leftToRight = /[A-Za-z\u00c0-\u058f]/

/** Reverses the words of a right-to-left script; the font orders the letters within a word. */
function inWritingOrder(run: Run): Run[] {
  if (!rightToLeft.test(run.text) || leftToRight.test(run.text)) return [run]
  // A blank is a run of its own: at the end of a word the font would turn it to the word's other side.
  const words = run.text.split(/( )/).filter((word) => word !== '')
  return words.reverse().map((text) => ({ ...run, text }))
}
