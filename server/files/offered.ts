import { type UploadPurpose, uploadPurposes } from '@atrium/contract/files.ts'
import { bytesPerKb } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'

export function isOffered(purpose: UploadPurpose, extension: string): boolean {
  return (uploadPurposes[purpose].extensions as readonly string[]).includes(extension)
}

export function refuseType(purpose: UploadPurpose): never {
  refuseFields({ file: [texts.fileTypes.replace('{{types}}', uploadPurposes[purpose].extensions.join(', '))] })
}

export function refuseTooLarge(sizeBytesMax: number): never {
  const sentence = texts.fileTooLarge.replace('{{size}}', String(sizeBytesMax / bytesPerKb))
  refuse('too_large', sentence, { errors: { file: [sentence] } })
}
