import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { fieldsOfRule, type Rule } from '@atrium/contract/forms/rules.ts'

/** A reference to a field by name: another field's condition, an alternative name or a formula. */
export type Dependent = { name: string; by: 'condition' | 'sent-name' | 'formula' }

const nameCharsMax = 60

/** The fields with a reference to this one, in form order. */
export function dependentsOf(definition: FormDefinition, name: string): Dependent[] {
  return allFields(definition)
    .filter((field) => field.input_name !== name)
    .flatMap((field) => usesOf(definition, field, name).map((by) => ({ name: field.input_name, by })))
}

function usesOf(definition: FormDefinition, field: FormField, name: string): Dependent['by'][] {
  const shownBy = conditionOf(definition.show_conditions, field.input_name)
  const sentAs = Object.values(conditionOf(definition.input_name_conditions, field.input_name) ?? {})
  const uses: Dependent['by'][] = []
  if (shownBy !== undefined && fieldsOfRule(shownBy).includes(name)) uses.push('condition')
  if (sentAs.some((rule) => fieldsOfRule(rule).includes(name))) uses.push('sent-name')
  if (wordsOfFormula(field.config.formula ?? '').some((word) => nameIn(word) === name)) uses.push('formula')
  return uses
}

export const allFields = ({ steps }: FormDefinition): FormField[] => steps.flatMap(({ fields }) => fields)

/** Own properties only, because names are arbitrary record keys. */
export const conditionOf = <Value>(record: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

export const namesOf = (definition: FormDefinition): Set<string> =>
  new Set(allFields(definition).map(({ input_name }) => input_name))

/** Derives a unique input name from a label. */
export function freshName(taken: ReadonlySet<string>, words: string): string {
  const stem = nameOfWords(words)
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `_${number}`
    const name = `${stem.slice(0, nameCharsMax - end.length)}${end}`
    if (!taken.has(name)) return name
  }
}

/** Transliterates to ASCII: "Größe (cm)" is `grosse_cm`. */
export function nameOfWords(words: string): string {
  const normalized = words
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, nameCharsMax)
  // Avoid names of Object.prototype.
  return normalized === '' || normalized === 'constructor' ? 'field' : normalized
}

/** Renames the field and all references in conditions, alternative names and formulas. */
export function renameField(definition: FormDefinition, from: string, to: string): FormDefinition {
  if (from === to) return definition
  const renamed = (name: string) => (name === from ? to : name)
  const steps = definition.steps.map((step) => ({
    ...step,
    fields: step.fields.map((field) => {
      const { formula } = field.config
      const config = formula === undefined ? field.config : { ...field.config, formula: inFormula(formula, from, to) }
      return { ...field, input_name: renamed(field.input_name), config }
    }),
  }))
  const show_conditions = mapRecord(definition.show_conditions, renamed, (rule) => renameInRule(rule, from, to))
  const input_name_conditions = mapRecord(definition.input_name_conditions, renamed, (names) =>
    mapRecord(
      names,
      (name) => name,
      (rule) => renameInRule(rule, from, to),
    ),
  )
  return { ...definition, steps, show_conditions, input_name_conditions }
}

const mapRecord = <Value, Next>(
  record: Record<string, Value>,
  toName: (name: string) => string,
  toValue: (value: Value) => Next,
): Record<string, Next> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [toName(name), toValue(value)]))

const listOperators = ['some', 'all', 'none']

/** Inside list operators, `var` refers to a list entry, so that part is not renamed. */
export function renameInRule(rule: Rule, from: string, to: string): Rule {
  const rename = (part: Rule): Rule => {
    if (Array.isArray(part)) return part.map(rename)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(
      Object.entries(part).map(([operator, values]) => {
        if (operator === 'var' || operator === 'missing')
          return [operator, renamePath(values as Rule, from, to, operator)]
        if (listOperators.includes(operator) && Array.isArray(values))
          return [operator, values.map((value, at) => (at === 0 ? rename(value) : value))]
        return [operator, rename(values as Rule)]
      }),
    )
  }
  return rename(rule)
}

/** Accepts `x` and `x.from`, alone or first in a list followed by a default. */
function renamePath(path: Rule, from: string, to: string, operator: 'var' | 'missing'): Rule {
  if (typeof path === 'string') {
    if (path === from) return to
    return path.startsWith(`${from}.`) ? `${to}${path.slice(from.length)}` : path
  }
  if (!Array.isArray(path)) return path
  return path.map((part, at) => (operator === 'missing' || at === 0 ? renamePath(part, from, to, operator) : part))
}

/** Splits a formula into names (bare or in braces) and the text between; joined, the pieces give the formula again. */
const wordsOfFormula = (formula: string): string[] => formula.split(/(\{[^}]*\}|[A-Za-z_][A-Za-z0-9_]*)/)

const nameIn = (word: string): string => (word.startsWith('{') ? word.slice(1, -1) : word)

const inFormula = (formula: string, from: string, to: string): string =>
  wordsOfFormula(formula)
    .map((word) => (nameIn(word) !== from ? word : word.startsWith('{') ? `{${to}}` : to))
    .join('')
