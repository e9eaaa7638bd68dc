import type { FieldConfig, FieldType, FormDefinition, FormField } from './definition.ts'

/** Builders for tests of forms. */
type FieldMore = Partial<Omit<FormField, 'type' | 'input_name' | 'options'>> & { options?: readonly string[] }

const own: Partial<Record<FieldType, FieldConfig>> = {
  static_content: { html: '<p>Read this first.</p>' },
  http_link: { href: 'https://harbour.example/help' },
  button: { button: 'next' },
  formula: { formula: '1 + 1' },
}
const withOptions: readonly FieldType[] = [
  ...(['select', 'searchable_select', 'multi_select', 'radio', 'checkbox_group', 'scale'] as const),
]

export function aField(type: FieldType, name: string, { options, config, ...more }: FieldMore = {}): FormField {
  const values = options ?? (withOptions.includes(type) ? ['a', 'b', 'c'] : [])
  return {
    name: `The ${name}`,
    description: null,
    type,
    options: values.map((value) => ({ value, label: value.toUpperCase() })),
    scores: {},
    row: 0,
    column: 0,
    config: { ...own[type], ...config },
    input_name: name,
    ...more,
  }
}

export function aForm(fields: readonly FormField[], more: Partial<FormDefinition> = {}): FormDefinition {
  return formOf([fields], more)
}

export function formOf(steps: readonly (readonly FormField[])[], more: Partial<FormDefinition> = {}): FormDefinition {
  return {
    steps: steps.map((fields, at) => ({ _id: `step-${at + 1}`, name: `Step ${at + 1}`, fields: [...fields] })),
    show_conditions: {},
    input_name_conditions: {},
    result_bands: [],
    ...more,
  }
}
