import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'
import { errorLines } from './error-lines.ts'

/** Messages by form field. */
export type Errors<Field extends string> = Partial<Record<Field, string[]>>

/** Maps a wire name to a form field; null if the form does not show it. */
export type FieldFor<Field extends string> = (name: string) => Field | null

/** Maps the wire names that differ from the form's; all others must equal a form field. */
export function fieldsBy<Field extends string>(
  labels: Record<Field, unknown>,
  wire: Record<string, NoInfer<Field>> = {},
): FieldFor<Field> {
  const own = (name: string): name is Field => Object.hasOwn(labels, name)
  return (name) => {
    const [first = name] = name.split('.')
    if (Object.hasOwn(wire, first)) return wire[first] ?? null
    return own(first) ? first : null
  }
}

/** Assigns the server's messages to form fields and returns unmatched messages separately. */
export function placeErrors<Field extends string>(
  fieldErrors: FieldErrors,
  fieldFor: FieldFor<Field>,
): { errors: Errors<Field>; others: string[] } {
  const errors: Errors<Field> = {}
  const others: string[] = []
  for (const [name, sentences] of Object.entries(fieldErrors)) {
    const field = fieldFor(name)
    if (field) errors[field] ??= sentences.length > 0 ? sentences : [texts.fieldsMissing]
    else others.push(...errorLines({ [name]: sentences }, (text) => text))
  }
  return { errors, others: [...new Set(others)] }
}

/** The part of a contract schema that a form needs. */
export type Schema = {
  safeParse: (value: unknown) => { error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined }
}

/** The first message per field from validation by the call's schema. */
export function schemaErrors<Field extends string>(
  schema: Schema,
  body: unknown,
  fieldFor: FieldFor<Field>,
): Errors<Field> {
  const errors: Errors<Field> = {}
  for (const { path, message } of schema.safeParse(body).error?.issues ?? []) {
    const field = fieldFor(path.map(String).join('.'))
    if (field) errors[field] ??= [message]
  }
  return errors
}
