import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { unpackWoff } from './woff.ts'

/** A stretch of text that one font can write. */
export type Run = { font: FontName; text: string }
export type FontName = 'body' | 'bold' | 'any'

/**
 * DejaVu writes what most names need (Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian); Unifont has a letter for
 * every other script of the basic plane, Chinese, Japanese, Korean, Thai and those of India among them. Both are open.
 */
const files: Record<FontName, string> = {
  body: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
  bold: '@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff',
  any: '@fontsource/unifontex/files/unifontex-latin-400-normal.woff',
}

type Opened = { content: Buffer; font: Font }
const opened = new Map<FontName, Opened>()

/** Read when a text first needs it, and kept: the font of every script is large, and most names need none of it. */
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

/** What stands for a letter that no font has. */
const unknownLetter = '\ufffd'
/** Turns lines around or joins letters: nothing to print, and a way to make a name read as another. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/** Splits a text by the fonts that can write it, so that no name comes out as boxes and none breaks the page. */
export function splitByFont(text: string, wanted: 'body' | 'bold' = 'body'): Run[] {
  const runs: Run[] = []
  for (const letter of text.normalize('NFC').replace(invisible, '')) {
    const code = letter.codePointAt(0) ?? 0
    const font = canWrite(wanted, code) ? wanted : canWrite('any', code) ? 'any' : null
    const last = runs.at(-1)
    const written = font === null ? unknownLetter : letter
    // A blank goes with the stretch before it.
    const used = letter === ' ' && last ? last.font : (font ?? wanted)
    if (last?.font === used) last.text += written
    else runs.push({ font: used, text: written })
  }
  return runs.map((run) => ({ ...run, text: inWritingOrder(run.text) }))
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const leftToRight = /[A-Za-z\u00c0-\u058f]/

/** Words of a script that runs to the left stand in that order; the letters within a word are the font's business. */
function inWritingOrder(text: string): string {
  if (!rightToLeft.test(text) || leftToRight.test(text)) return text
  return text.split(' ').reverse().join(' ')
}
