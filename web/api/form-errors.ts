import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { texts } from '@atrium/contract/texts.ts'
import { errorLines } from './error-lines.ts'

/** Sentences by field of the form. */
export type Errors<Field extends string> = Partial<Record<Field, string[]>>

/** The field of the form for a name on the wire, or null for what the form does not show. */
export type FieldFor<Field extends string> = (name: string) => Field | null

/** Names on the wire that differ from the form's; all others are looked for among the form's own. */
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

/** The server's sentences on our fields; what belongs to none of them is returned apart, and never swallowed. */
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

/** An input of the contract, as far as a form needs it. */
export type Schema = {
  safeParse: (value: unknown) => { error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined }
}

/** The first sentence of each field that the call's own schema does not take. */
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
