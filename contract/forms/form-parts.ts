import type { FieldConfig, FieldType, FormDefinition, FormField } from './definition.ts'

/** A template: the brokerage copies and adapts it. */
export type ReadyMadeForm = {
  key: string
  name: string
  /** Shown to members where requests are offered. */
  description: string
  category: string
  definition: FormDefinition
}

export type Choice = readonly [value: string, label: string, points?: number]
type More = { description?: string; options?: readonly Choice[]; config?: FieldConfig }

/** A field below the previous one. Points of a yes/no field are given as those of two options. */
export function ask(type: FieldType, input_name: string, name: string, more: More = {}): FormField {
  const { description = null, options = [], config = {} } = more
  const isScored = options.some(([, , points]) => points !== undefined)
  return {
    name,
    description,
    type,
    options: type === 'yes_no' ? [] : options.map(([value, label]) => ({ value, label })),
    scores: isScored ? Object.fromEntries(options.map(([value, , points = 0]) => [value, points])) : {},
    row: 0,
    column: 0,
    config,
    input_name,
  }
}

export const required = { required: true } as const

export function note(input_name: string, name: string, html: string): FormField {
  return ask('static_content', input_name, name, { config: { html } })
}

/** A step that places its fields in the given order. */
export function step(_id: string, name: string, fields: readonly FormField[]): FormDefinition['steps'][number] {
  let row = -1
  const placed = fields.map((field) => {
    if (field.column === 0) row += 1
    return { ...field, row }
  })
  return { _id, name, fields: placed }
}

/** Places the field beside the previous one. */
export function beside(field: FormField, column = 1): FormField {
  return { ...field, column }
}
