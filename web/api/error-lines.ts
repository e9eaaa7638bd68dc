import type { FieldErrors } from '@atrium/contract/error-codes.ts'

export const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** One line per message of an error map; a message of a nested field starts with the field name. */
export function errorLines(errors: FieldErrors, translate: (text: string) => string): string[] {
  return Object.entries(errors).flatMap(([name, messages]) => {
    const [field = name, ...inside] = name.split('.')
    const before = inside.length > 0 ? `${capitalised(field)} ` : ''
    return messages.map((message) => `${before}${translate(message)}`)
  })
}
