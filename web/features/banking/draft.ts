import type { z } from 'zod'

export type Problems<Field extends string> = Partial<Record<Field, string>>

/** The first message of each field, by the same rule that the server goes by. */
export function problemsOf<Field extends string>(schema: z.ZodType, draft: object): Problems<Field> {
  const { issues } = schema.safeParse(draft).error ?? { issues: [] }
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [String(path[0]), message]),
  ) as Problems<Field>
}
