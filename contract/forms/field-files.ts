import { uploadPurposes } from '../files/calls.ts'
import { bytesPerKb } from '../limits.ts'
import type { FieldType, FormField } from './definition.ts'

/** Fields whose answers are files. */
export const fileFields: readonly FieldType[] = ['file', 'files', 'signature']

export type FieldFiles = { extensions: readonly string[]; sizeBytesMax: number }

/** Two extensions of one type: whoever allows one of them means both. */
const jpegs: readonly string[] = ['jpg', 'jpeg']

function withJpegs(types: readonly string[]): readonly string[] {
  return types.some((type) => jpegs.includes(type)) ? [...new Set([...types, ...jpegs])] : types
}

/** The files a field accepts: those of forms, or fewer. A signature is an image. */
export function fileRulesOf({ type, config }: Pick<FormField, 'type' | 'config'>): FieldFiles {
  const { extensions, sizeBytesMax } = uploadPurposes.form
  const types = type === 'signature' ? uploadPurposes.picture.extensions : (config.file_types ?? extensions)
  const { size_kb_max: sizeKb } = config
  return {
    extensions: withJpegs(types),
    sizeBytesMax: sizeKb === undefined ? sizeBytesMax : Math.min(sizeBytesMax, sizeKb * bytesPerKb),
  }
}
