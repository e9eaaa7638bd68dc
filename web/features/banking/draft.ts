/** An input of the contract, as far as a form needs it. */
export type Judge = {
  safeParse(draft: unknown): { error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined }
}

export type Problems<Field extends string> = Partial<Record<Field, string>>

/** The first message of each field, by the same rule that the server goes by. */
export function problemsOf<Field extends string>(schema: Judge, draft: object): Problems<Field> {
  const { issues } = schema.safeParse(draft).error ?? { issues: [] }
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [String(path[0]), message]),
  ) as Problems<Field>
}
