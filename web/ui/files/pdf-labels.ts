import { pdfFrameData } from '@atrium/contract/files/pdf-frame.ts'
import { version } from 'pdfjs-dist/package.json'

/** The messages between the staff app and the frame that renders a PDF. */

/** The view of the pages: scale 1 fits the frame's width, each turn is 90° clockwise. */
export type Look = { scale: number; turns: number }

/** Sent once to the frame's window, with the port that carries every later message. */
export type ViewerStart = {
  kind: 'show'
  bytes: ArrayBuffer
  isDark: boolean
  look: Look
  /** With `{page}` and `{pages}` as placeholders. */
  pageLabel: string
  brokenLabel: string
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
  /** The frame has no network access: fonts that a KYC document does not embed are requested here. */
  | { kind: 'wanted'; folder: string; filename: string }

/** The rendered maximum per KYC document; a file can claim any number. */
export const pagesMax = 1_000
/** Shortcuts that work with the focus in the frame or around it. */
export const sheetKeys: readonly string[] = ['+', '-', ',', '.', '0']
/** The path contains the version, because browsers cache it permanently. */
export const pdfDataPath = `${pdfFrameData}${version}/`
