import { isMore } from '../money/money.ts'
import { isDay } from '../validators/dates.ts'
import type { FormDefinition, FormField } from './definition.ts'
import {
  answerKindOf,
  countsAsNumber,
  hasAnswer,
  mayHaveScores,
  needsOptions,
  settingNeeded,
  settingsOf,
  takesOptions,
} from './field-settings.ts'
import { formLimits } from './form-limits.ts'
import { type FormPlan, planForm } from './form-order.ts'
import { fillIn, formDefinitionTexts } from './form-texts.ts'
import { fieldsOfFormula } from './formula.ts'
import { allowedValues, readAnswer, validateAnswer } from './judge-answer.ts'
import { fieldsOfRule, type Rule } from './rules.ts'

type Problem = { path: readonly (string | number)[]; message: string }

/** Problems across fields: duplicates, unknown names, circular references, and settings that do not fit the type. */
export function problemsOfDefinition(definition: FormDefinition): Problem[] {
  const count = definition.steps.reduce((total, { fields }) => total + fields.length, 0)
  // An oversized definition is not checked any further.
  if (count > formLimits.fieldsMax)
    return [{ path: ['steps'], message: fillIn(formDefinitionTexts.fieldsTooMany, { count: formLimits.fieldsMax }) }]
  const plan = planForm(definition)
  return [
    ...doubled(definition),
    ...definition.steps.flatMap(({ fields }, step) =>
      fields.flatMap((field, at) =>
        [...problemsOfField(field), ...problemsOfFormula(field, plan)].map((message) => ({
          path: ['steps', step, 'fields', at],
          message,
        })),
      ),
    ),
    ...problemsOfShowing(definition, plan),
    ...problemsOfNaming(definition, plan),
    ...(plan.loop
      ? [{ path: ['show_conditions'], message: fillIn(formDefinitionTexts.loop, { names: plan.loop.join(' → ') }) }]
      : []),
    ...problemsOfBands(definition),
  ]
}

function doubled({ steps }: FormDefinition): Problem[] {
  const names = new Set<string>()
  const found: Problem[] = []
  for (const [step, { fields }] of steps.entries())
    for (const [at, { input_name: name }] of fields.entries()) {
      const path = ['steps', step, 'fields', at, 'input_name']
      if (names.has(name)) found.push({ path, message: fillIn(formDefinitionTexts.inputNameDoubled, { name }) })
      names.add(name)
    }
  if (new Set(steps.map(({ _id }) => _id)).size < steps.length)
    found.push({ path: ['steps'], message: formDefinitionTexts.stepIdDoubled })
  return found
}

function problemsOfField(field: FormField): string[] {
  const { type, config, options, input_name: name } = field
  const said = (text: string, values: Record<string, string> = {}) => fillIn(text, { name, ...values })
  const needed = settingNeeded(type)
  const found: string[] = []
  for (const setting of Object.keys(config) as (keyof typeof config)[])
    if (config[setting] !== undefined && !settingsOf(type).includes(setting))
      found.push(said(formDefinitionTexts.configUnknown, { setting }))
  if (needed && config[needed] === undefined) found.push(said(formDefinitionTexts.settingMissing, { setting: needed }))
  if (needsOptions(type) && options.length === 0) found.push(said(formDefinitionTexts.optionsMissing))
  if (!takesOptions(type) && options.length > 0) found.push(said(formDefinitionTexts.optionsRefused))
  const values = options.map(({ value }) => value)
  for (const value of new Set(values.filter((entry, at) => values.indexOf(entry) < at)))
    found.push(said(formDefinitionTexts.optionDoubled, { value }))
  if (!areKnown(field, values)) found.push(said(formDefinitionTexts.optionsRefused))
  if (!hasFitScores(field)) found.push(said(formDefinitionTexts.scoresRefused))
  for (const [from, to] of backwards(field)) found.push(said(formDefinitionTexts.settingRange, { from, to }))
  if (config.default !== undefined && found.length === 0 && !takesDefault(field))
    found.push(said(formDefinitionTexts.defaultRefused))
  return found
}

/** Skips days, whose validity may depend on when the form is filled in. */
function takesDefault(field: FormField): boolean {
  const read = readAnswer(field, field.config.default)
  const { min_date: _first, max_date: _last, ...config } = field.config
  return 'value' in read && validateAnswer({ ...field, config }, read.value, '').length === 0
}

/** Checks countries and currencies against the known ones. */
function areKnown(field: FormField, values: readonly string[]): boolean {
  if (field.type !== 'country' && field.type !== 'currency') return true
  const known = allowedValues({ ...field, options: [] })
  return values.every((value) => known.has(value))
}

function hasFitScores(field: FormField): boolean {
  const scored = Object.keys(field.scores)
  if (scored.length === 0) return true
  if (!mayHaveScores(field.type)) return false
  if (answerKindOf(field.type) === 'flag') return scored.every((value) => value === 'true' || value === 'false')
  const values = allowedValues(field)
  return scored.every((value) => values.has(value))
}

function backwards({ config }: FormField): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  const { min, max, min_date: first, max_date: last, count_min: fewest, count_max: most } = config
  if (min !== undefined && max !== undefined && isMore(min, max)) found.push(['min', 'max'])
  if (fewest !== undefined && most !== undefined && fewest > most) found.push(['count_min', 'count_max'])
  if (first !== undefined && last !== undefined && isDay(first) && isDay(last) && first > last)
    found.push(['min_date', 'max_date'])
  return found
}

function problemsOfFormula({ type, config, input_name: name }: FormField, plan: FormPlan): string[] {
  const formula = type === 'formula' && config.formula ? plan.byName.get(name)?.formula : null
  if (!formula) return []
  return fieldsOfFormula(formula).flatMap((other) => {
    const needed = plan.byName.get(other)
    return needed && countsAsNumber(needed.field)
      ? []
      : [fillIn(formDefinitionTexts.formulaUnknown, { name, other: other.slice(0, formLimits.inputNameCharsMax) })]
  })
}

function problemsOfShowing({ show_conditions: conditions }: FormDefinition, plan: FormPlan): Problem[] {
  return Object.entries(conditions).flatMap(([name, rule]) =>
    problemsOfRule(name, rule, plan, ['show_conditions', name]),
  )
}

function problemsOfNaming({ input_name_conditions: conditions }: FormDefinition, plan: FormPlan): Problem[] {
  return Object.entries(conditions).flatMap(([name, byName]) =>
    Object.entries(byName).flatMap(([other, rule]) => {
      const path = ['input_name_conditions', name, other]
      const taken = other !== name && plan.byName.has(other)
      return [
        ...problemsOfRule(name, rule, plan, path),
        ...(taken ? [{ path, message: fillIn(formDefinitionTexts.nameTaken, { name: other }) }] : []),
      ]
    }),
  )
}

function problemsOfRule(name: string, rule: Rule, plan: FormPlan, path: readonly string[]): Problem[] {
  const unknown = fieldsOfRule(rule).filter((other) => {
    const read = plan.byName.get(other)
    return !read || !hasAnswer(read.field)
  })
  return [
    ...(plan.byName.has(name) ? [] : [{ path, message: fillIn(formDefinitionTexts.conditionOfNobody, { name }) }]),
    ...unknown.map((other) => ({
      path,
      message: fillIn(formDefinitionTexts.conditionUnknown, { name: other.slice(0, formLimits.inputNameCharsMax) }),
    })),
  ]
}

function problemsOfBands({ result_bands: bands }: FormDefinition): Problem[] {
  const sorted = bands.toSorted((left, right) => left.from - right.from)
  const isApart = sorted.every(({ from, to }, at) => from <= to && (at === 0 || from > (sorted[at - 1]?.to ?? from)))
  return isApart ? [] : [{ path: ['result_bands'], message: formDefinitionTexts.bands }]
}
