import { bytesPerKb } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'

export type FileRules = { extensions: readonly string[]; sizeBytesMax: number }

/** What a file fails before it is sent, as a text with its values. The server looks at the content again. */
export function fileProblem(
  file: { name: string; size: number },
  rules: FileRules,
): { text: string; values: Record<string, string> } | null {
  const extension = file.name.includes('.') ? (file.name.split('.').at(-1) ?? '').toLowerCase() : ''
  if (!rules.extensions.includes(extension))
    return { text: texts.fileTypes, values: { types: rules.extensions.join(', ') } }
  if (file.size === 0) return { text: texts.fileEmpty, values: {} }
  if (file.size > rules.sizeBytesMax)
    return { text: texts.fileTooLarge, values: { size: String(rules.sizeBytesMax / bytesPerKb) } }
  return null
}
