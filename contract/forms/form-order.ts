import type { FormDefinition, FormField } from './definition.ts'
import { hasAnswer } from './field-settings.ts'
import { type Formula, fieldsOfFormula, readFormula } from './formula.ts'
import { fieldsOfRule, type Rule } from './rules.ts'

/** A field with its show condition and its formula. */
export type PlannedField = { field: FormField; step: number; show: Rule | undefined; formula: Formula | null }
export type FormPlan = {
  byName: ReadonlyMap<string, PlannedField>
  /** Each field after its dependencies. */
  inOrder: readonly PlannedField[]
  /** Input names of a circular reference, with the first repeated at the end; null without one. */
  loop: readonly string[] | null
}

const plans = new WeakMap<FormDefinition, FormPlan>()

/** Caches the plan per definition, so that a key press costs only the evaluation. */
export function planOf(definition: FormDefinition): FormPlan {
  const known = plans.get(definition)
  if (known) return known
  const plan = planForm(definition)
  plans.set(definition, plan)
  return plan
}

export function planForm(definition: FormDefinition): FormPlan {
  const { show_conditions: conditions } = definition
  const planned = definition.steps.flatMap(({ fields }, step) =>
    fields.map((field): PlannedField => {
      const name = field.input_name
      return {
        field,
        step,
        show: Object.hasOwn(conditions, name) ? conditions[name] : undefined,
        formula: field.type === 'formula' ? readFormula(field.config.formula ?? '') : null,
      }
    }),
  )
  const byName = new Map(planned.map((entry) => [entry.field.input_name, entry]))
  return { byName, ...inOrderOfNeed(planned, byName) }
}

function requirementsOf({ show, formula }: PlannedField): string[] {
  return [...(show === undefined ? [] : fieldsOfRule(show)), ...(formula ? fieldsOfFormula(formula) : [])]
}

type Ordered = Pick<FormPlan, 'inOrder' | 'loop'>

function inOrderOfNeed(planned: readonly PlannedField[], byName: ReadonlyMap<string, PlannedField>): Ordered {
  const inOrder: PlannedField[] = []
  const done = new Set<string>()
  const path: string[] = []
  let loop: string[] | null = null
  const visit = (entry: PlannedField): void => {
    const name = entry.field.input_name
    if (done.has(name)) return
    const begun = path.indexOf(name)
    if (begun >= 0) {
      loop ??= [...path.slice(begun), name]
      return
    }
    path.push(name)
    for (const other of requirementsOf(entry)) {
      const needed = byName.get(other)
      if (needed && hasAnswer(needed.field)) visit(needed)
    }
    path.pop()
    done.add(name)
    inOrder.push(entry)
  }
  for (const entry of planned) visit(entry)
  return { inOrder, loop }
}
