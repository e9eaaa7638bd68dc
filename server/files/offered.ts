import { type UploadPurpose, uploadPurposes } from '@atrium/contract/files/calls.ts'
import { refusedKind } from '@atrium/contract/files/kinds.ts'
import { fileProblems } from '@atrium/contract/files/problems.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import type { Refused } from './inspection/inspect.ts'

export function isOffered(purpose: UploadPurpose, extension: string): boolean {
  return (uploadPurposes[purpose].extensions as readonly string[]).includes(extension)
}

/** Names the type by its extension, or by the type found in the content. */
export function refuseType(purpose: UploadPurpose, found: string | null): never {
  const { text, values } = refusedKind(found, uploadPurposes[purpose].extensions)
  refuseFields({ file: [fill(text, values)] })
}

export function refuseContent(purpose: UploadPurpose, refused: Refused): never {
  if (refused.problem === 'wrong-type') return refuseType(purpose, refused.found)
  if (refused.problem !== 'too-many-pixels') return refuseFields({ file: [fileProblems[refused.problem]] })
  const { width, height } = refused.size
  const megapixels = (pixels: number) => String(Math.round(pixels / 1_000_000))
  const values = { width: String(width), height: String(height), most: megapixels(refused.pixelsMax) }
  return refuseFields({ file: [fill(fileTexts.imageTooLarge, { ...values, count: megapixels(width * height) })] })
}

export function refuseTooLarge(sizeBytesMax: number): never {
  const sentence = sizeSentence(sizeBytesMax)
  refuse('too_large', sentence, { errors: { file: [sentence] } })
}

export const sizeSentence = (sizeBytesMax: number): string =>
  fill(fileTexts.fileTooLarge, { size: sizeText(sizeBytesMax) })

/** For display: 5 MB, not 5000 KB; a kilobyte is 1000 bytes, as in the specification. */
const sizeText = (bytes: number): string => (bytes < 1_000_000 ? `${bytes / 1_000} KB` : `${bytes / 1_000_000} MB`)

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
