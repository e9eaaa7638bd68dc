import { uploadPurposes } from '../files/calls.ts'
import { bytesPerKb } from '../limits.ts'
import type { FieldType, FormField } from './definition.ts'

/** Fields whose answers are files. */
export const fileFields: readonly FieldType[] = ['file', 'files', 'signature']

export type FieldFiles = { extensions: readonly string[]; sizeBytesMax: number }

/** The files a field accepts: those of forms, or fewer. A signature is an image. */
export function fileRulesOf({ type, config }: Pick<FormField, 'type' | 'config'>): FieldFiles {
  const { extensions, sizeBytesMax } = uploadPurposes.form
  const types = type === 'signature' ? uploadPurposes.picture.extensions : (config.file_types ?? extensions)
  const { size_kb_max: sizeKb } = config
  return {
    extensions: types,
    sizeBytesMax: sizeKb === undefined ? sizeBytesMax : Math.min(sizeBytesMax, sizeKb * bytesPerKb),
  }
}
