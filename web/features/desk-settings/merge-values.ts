export type Values = Record<string, unknown>

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** Three-way merge: my value where I changed it, theirs everywhere else. */
export function mergeValues(begun: Values, mine: Values, theirs: Values) {
  const fields = Object.keys(theirs)
  return {
    values: Object.fromEntries(
      fields.map((field) => [field, isSame(mine[field], begun[field]) ? theirs[field] : mine[field]]),
    ),
    changedElsewhere: fields.filter((field) => !isSame(theirs[field], begun[field])),
  }
}
