import type { FormDefinition, FormField } from '../../contract/forms/definition.ts'

/** A page with `size` fields of ten types: every second one has chained conditions, and every tenth is calculated. */
export function formOf(size: number): FormDefinition {
  const fields = Array.from({ length: size }, (_, at) => fieldAt(at))
  const shown = fields.flatMap(({ input_name: name }, at): [string, FormDefinition['show_conditions'][string]][] =>
    at % 2 === 0 || at < 12
      ? []
      : [
          [
            name,
            {
              and: [
                { '>=': [{ var: 'f0' }, 0] },
                { or: [{ '!!': { var: `f${at - 2}` } }, { '!=': [{ var: `f${at - 10}` }, 'z'] }] },
              ],
            },
          ],
        ],
  )
  return {
    steps: [{ _id: 'one', name: 'One', fields }],
    show_conditions: Object.fromEntries(shown),
    input_name_conditions: {},
    result_bands: [],
  }
}

function fieldAt(at: number): FormField {
  const type =
    (['number', 'text', 'select', 'email', 'multi_select', 'formula', 'date', 'iban', 'yes_no', 'decimal'] as const)[
      at % 10
    ] ?? 'text'
  const isChosen = type === 'select' || type === 'multi_select'
  return {
    name: `Field ${at}`,
    description: null,
    type,
    options: isChosen
      ? Array.from({ length: 100 }, (_, value) => ({ value: `v${value}`, label: `Value ${value}` }))
      : [],
    scores: {},
    row: at,
    column: 0,
    config: type === 'formula' ? { formula: `({f0} + 2.5) * 3 / 7 + {f${Math.max(0, at - 5)}}` } : { required: true },
    input_name: `f${at}`,
  }
}
