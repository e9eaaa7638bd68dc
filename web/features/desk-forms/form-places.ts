import type { FormDefinition, FormField, FormStep } from '@atrium/contract/forms/definition.ts'

/** More columns would be unreadable for members. */
export const columnsMax = 4

/** The target of a move: a column in a row, or, without a column, a new row before that row. */
export type Place = { stepId: string; row: number; column: number | null }
export type Direction = 'up' | 'down' | 'left' | 'right'

/** The fields of a step by row and column. Stored numbers may have gaps; only their order counts. */
export function rowsOf({ fields }: Pick<FormStep, 'fields'>): FormField[][] {
  const numbers = [...new Set(fields.map(({ row }) => row))].sort((one, other) => one - other)
  return numbers.map((number) =>
    fields.filter(({ row }) => row === number).sort((one, other) => one.column - other.column),
  )
}

/** Renumbers rows and columns without gaps. */
export function withRows(step: FormStep, rows: FormField[][]): FormStep {
  const fields = rows
    .filter((row) => row.length > 0)
    .flatMap((fieldsOfRow, row) =>
      fieldsOfRow.map((field, column) =>
        field.row === row && field.column === column ? field : { ...field, row, column },
      ),
    )
  return { ...step, fields }
}

export type FoundField = { step: FormStep; stepAt: number; field: FormField; row: number; column: number }

export function findField(definition: FormDefinition, name: string): FoundField | null {
  for (const [stepAt, step] of definition.steps.entries())
    for (const [row, fields] of rowsOf(step).entries())
      for (const [column, field] of fields.entries())
        if (field.input_name === name) return { step, stepAt, field, row, column }
  return null
}

/** Inserts a field at a place; null for a full row or an unknown step. */
export function placeField(definition: FormDefinition, field: FormField, place: Place): FormDefinition | null {
  const { stepId, row, column } = place
  const step = definition.steps.find(({ _id }) => _id === stepId)
  if (!step) return null
  const rows = rowsOf(step)
  const target = rows[row]
  if (column === null || !target) return withStep(definition, withRows(step, rows.toSpliced(row, 0, [field])))
  if (target.length >= columnsMax) return null
  return withStep(definition, withRows(step, rows.with(row, target.toSpliced(column, 0, field))))
}

/** The place refers to the layout before the move; null if nothing would change. */
export function moveField(definition: FormDefinition, name: string, place: Place): FormDefinition | null {
  const found = findField(definition, name)
  if (!found) return null
  // A placeholder keeps the positions stable until the field is inserted.
  const isSameStep = found.step._id === place.stepId
  const rows = rowsOf(found.step)
  const old = rows[found.row] ?? []
  const left = old.toSpliced(found.column, 1)
  const isEmptied = left.length === 0
  const without = withStep(definition, withRows(found.step, rows.with(found.row, left)))
  const row = isSameStep && isEmptied && place.row > found.row ? place.row - 1 : place.row
  const intoItself = isSameStep && isEmptied && place.row === found.row && place.column !== null
  const isShiftedLeft = isSameStep && place.row === found.row && place.column !== null && place.column > found.column
  const column = intoItself ? null : place.column === null ? null : place.column - (isShiftedLeft ? 1 : 0)
  const moved = placeField(without, found.field, { ...place, row, column })
  return moved && isSamePlaces(moved, definition) ? null : moved
}

/** Moves a field one step: up and down by rows and steps, left and right in reading order; null at either end. */
export function nudgeField(definition: FormDefinition, name: string, direction: Direction): FormDefinition | null {
  const place = placeBeside(definition, name, direction)
  return place && moveField(definition, name, place)
}

function placeBeside(definition: FormDefinition, name: string, direction: Direction): Place | null {
  const found = findField(definition, name)
  if (!found) return null
  const { step, row, column } = found
  const rows = rowsOf(step)
  const length = rows[row]?.length ?? 0
  const here = { stepId: step._id }
  if (direction === 'left' && column > 0) return { ...here, row, column: column - 1 }
  if (direction === 'right' && column < length - 1) return { ...here, row, column: column + 2 }
  if (direction === 'left') {
    const above = rows[row - 1]
    return above && above.length < columnsMax ? { ...here, row: row - 1, column: above.length } : null
  }
  if (direction === 'right') {
    const below = rows[row + 1]
    return below && below.length < columnsMax ? { ...here, row: row + 1, column: 0 } : null
  }
  if (direction === 'up') return placeAbove(definition, found, length)
  return placeBelow(definition, found, rows.length, length)
}

/** From a shared row into a new row; from a row of its own past the row above, or to the end of the previous step. */
function placeAbove(definition: FormDefinition, { step, stepAt, row }: FoundField, length: number): Place | null {
  if (length > 1) return { stepId: step._id, row, column: null }
  if (row > 0) return { stepId: step._id, row: row - 1, column: null }
  const before = definition.steps[stepAt - 1]
  return before ? { stepId: before._id, row: rowsOf(before).length, column: null } : null
}

function placeBelow(
  definition: FormDefinition,
  { step, stepAt, row }: FoundField,
  rowCount: number,
  length: number,
): Place | null {
  if (length > 1) return { stepId: step._id, row: row + 1, column: null }
  if (row < rowCount - 1) return { stepId: step._id, row: row + 2, column: null }
  const after = definition.steps[stepAt + 1]
  return after ? { stepId: after._id, row: 0, column: null } : null
}

export const withStep = (definition: FormDefinition, step: FormStep): FormDefinition => ({
  ...definition,
  steps: definition.steps.map((each) => (each._id === step._id ? step : each)),
})

const placesOf = ({ steps }: FormDefinition) =>
  JSON.stringify(
    steps.map((step) => [step._id, rowsOf(step).map((fields) => fields.map(({ input_name }) => input_name))]),
  )

const isSamePlaces = (one: FormDefinition, other: FormDefinition) => placesOf(one) === placesOf(other)
