import { z } from 'zod'

const amounts = new WeakSet<object>()

/** An amount as sent: text, or a JSON number, which the server reads from its source text. */
export function typedAmount(words: { error: string }) {
  const schema = z.union([z.string(), z.number()], words)
  amounts.add(schema)
  return schema
}

/** The fields of a call's input that are such amounts. */
export function amountFieldsOf(input: unknown): string[] {
  if (input instanceof z.ZodPipe) return amountFieldsOf(input.def.in)
  if (input instanceof z.ZodUnion) return input.options.flatMap(amountFieldsOf)
  if (!(input instanceof z.ZodObject)) return []
  return Object.entries<unknown>(input.shape)
    .filter(([, field]) => typeof field === 'object' && field !== null && amounts.has(field))
    .map(([name]) => name)
}
