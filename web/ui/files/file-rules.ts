import { refusedKind } from '@atrium/contract/files/kinds.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { fileSize } from '../text/format.ts'

export type FileRules = { extensions: readonly string[]; sizeBytesMax: number }

/** The reason why a file cannot be uploaded, as a text with its values. The server checks the content again. */
export function fileProblem(
  file: { name: string; size: number },
  rules: FileRules,
): { text: string; values: Record<string, string> } | null {
  const extension = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '').toLowerCase() : ''
  if (!rules.extensions.includes(extension)) return refusedKind(extension, rules.extensions)
  if (file.size === 0) return { text: fileTexts.fileEmpty, values: {} }
  if (file.size > rules.sizeBytesMax)
    return { text: fileTexts.fileTooLarge, values: { size: fileSize(rules.sizeBytesMax) } }
  return null
}
