import { pdfFrameData } from '@atrium/contract/files/pdf-frame.ts'
import { version } from 'pdfjs-dist/package.json'

/** What the desk and the frame that draws a PDF say to each other. */

/** How the sheets are looked at: 1 is as wide as the frame, a turn is a quarter to the right. */
export type Look = { scale: number; turns: number }

/** Said once, to the frame's window, together with the port that everything else goes by. */
export type HandedOver = {
  kind: 'show'
  bytes: ArrayBuffer
  isDark: boolean
  look: Look
  /** With `{page}` and `{pages}` where the numbers stand. */
  pageWords: string
  brokenWords: string
}

export type ToFrame =
  | { kind: 'look'; look: Look; isDark: boolean }
  | { kind: 'go'; page: number }
  | { kind: 'data'; folder: string; filename: string; bytes: ArrayBuffer | null }

export type FromFrame =
  | { kind: 'opened'; pages: number }
  | { kind: 'at'; page: number }
  | { kind: 'failed'; why: 'broken' | 'locked' }
  | { kind: 'pressed'; key: string }
  /** The frame may fetch nothing: what a KYC document needs of fonts that it does not bring is asked for here. */
  | { kind: 'wanted'; folder: string; filename: string }

/** Drawn of one KYC document; a file can claim any number. */
export const pagesMax = 1_000
/** Keys that do the same wherever the focus is, in the frame or around it. */
export const sheetKeys: readonly string[] = ['+', '-', ',', '.', '0']
/** Named by its version, because browsers keep it for ever. */
export const pdfDataPath = `${pdfFrameData}${version}/`
