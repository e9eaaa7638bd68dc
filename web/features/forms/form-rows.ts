import type { FormField } from '@atrium/contract/forms/definition.ts'

export type Cell = { field: FormField; span: number }
export type FormRow = { row: number; cells: Cell[] }

const parts = 12

/** The fields of a step in rows; fields without a width share the remaining columns. */
export function rowsOf(fields: readonly FormField[]): FormRow[] {
  const byRow = new Map<number, FormField[]>()
  for (const field of fields) byRow.set(field.row, [...(byRow.get(field.row) ?? []), field])
  return [...byRow]
    .sort(([left], [right]) => left - right)
    .map(([row, own]) => ({ row, cells: cellsOf(own.toSorted((left, right) => left.column - right.column)) }))
}

function cellsOf(fields: readonly FormField[]): Cell[] {
  const drawn = fields.filter(({ type }) => type !== 'hidden')
  const named = drawn.flatMap(({ config }) => (config.width === undefined ? [] : [config.width]))
  const left = Math.max(parts - named.reduce((sum, width) => sum + width, 0), 1)
  const share = Math.max(1, Math.floor(left / Math.max(1, drawn.length - named.length)))
  return drawn.map((field) => ({ field, span: Math.min(parts, field.config.width ?? share) }))
}
