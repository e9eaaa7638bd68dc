import { validatorTexts } from '../validators/messages.ts'
import type { FormDefinition, FormField, ResultBand } from './definition.ts'
import { answerKindOf } from './field-settings.ts'
import { formLimits } from './form-limits.ts'
import { type PlannedField, planOf } from './form-order.ts'
import { formTexts } from './form-texts.ts'
import { evaluateFormula } from './formula.ts'
import { type AnswerValue, readAnswer, validateAnswer } from './judge-answer.ts'
import { evaluateRule, type StepsLeft } from './rules.ts'

export type { AnswerValue } from './judge-answer.ts'

/**
 * Answers by input name. Texts, choices and days are strings; numbers and formulas are decimal text; checkboxes and consents are
 * booleans; multiple choices and files are lists; a range of days is `{ from, to }`; a file, a signature and an account
 * are ids.
 */
export type Answers = Record<string, AnswerValue>

/** Answers as entered or sent, with unvalidated values. */
export type EnteredAnswers = Readonly<Record<string, unknown>>

/** The shown fields of a form under given answers, and the values of the answered ones. */
export type ShownForm = { shown: ReadonlySet<string>; values: Answers }

/**
 * Visits each field after its dependencies: a hidden field has no answer, even if one was sent, and an unreadable answer counts as
 * none.
 */
export function showForm(definition: FormDefinition, entered: EnteredAnswers, language?: string): ShownForm {
  const shown = new Set<string>()
  const values: Answers = {}
  const all: StepsLeft = { left: formLimits.stepsOfAllMax }
  for (const entry of planOf(definition).inOrder) {
    const { field, show } = entry
    if (show !== undefined && !evaluateRule(show, values, all)) continue
    shown.add(field.input_name)
    const value = valueUnder(entry, entered, { values, all, language })
    if (value !== null) values[field.input_name] = value
  }
  return { shown, values }
}

function valueUnder(
  { field, formula }: PlannedField,
  entered: EnteredAnswers,
  { values, all, language }: { values: Answers; all: StepsLeft; language: string | undefined },
): AnswerValue | null {
  const { decimals } = field.config
  if (formula) return evaluateFormula(formula, values, { all, ...(decimals !== undefined && { decimals }) })
  const kind = answerKindOf(field.type)
  if (kind === 'none' || kind === 'computed') return null
  const read = readAnswer(field, enteredFor(field, entered), language)
  return 'value' in read ? read.value : null
}

/** A hidden field with a default has that value, since nobody can enter it. */
function enteredFor({ type, config, input_name: name }: FormField, entered: EnteredAnswers): unknown {
  if (type === 'hidden' && config.default !== undefined) return config.default
  return Object.hasOwn(entered, name) ? entered[name] : undefined
}

/** Input names of the fields that a form shows under these answers. */
export function shownFields(definition: FormDefinition, entered: EnteredAnswers): ReadonlySet<string> {
  return showForm(definition, entered).shown
}

export type Scores = { total: number; band: ResultBand | null }

export type CheckedAnswers =
  | {
      ok: true
      /** Shown fields with calculated formulas, by input name. Checking them again gives the same result. */
      accepted: Answers
      /** The same under the names of `input_name_conditions`, for the recipient of the answers. */
      named: Answers
      scores: Scores | null
    }
  | {
      ok: false
      errors: Record<string, string[]>
      /** The first step with an error. */
      step: number
      /** For the head of the form, if a required answer is missing. */
      message: string | null
    }

export type CheckOptions = {
  /** Checks a single step (from 0), as Next does; without it the whole form. */
  step?: number
  /** `yyyy-mm-dd` where the form is filled in. */
  today: string
  /** The member's language for parsing and formatting numbers; without one, limits are written in their stored form. */
  language?: string
}

/**
 * Validates answers in the browser and on the server: accepts exactly what the form shows under these answers, and reports all
 * errors together.
 */
export function checkAnswers(
  definition: FormDefinition,
  entered: EnteredAnswers,
  { step, today, language }: CheckOptions,
): CheckedAnswers {
  const form = showForm(definition, entered, language)
  const errors = unknownNames(definition, entered)
  const accepted: Answers = {}
  let hasGap = false
  let firstStep: number | null = Object.keys(errors).length > 0 ? (step ?? 0) : null
  for (const [at, { fields }] of definition.steps.entries()) {
    if (step !== undefined && at !== step) continue
    for (const field of fields) {
      const name = field.input_name
      if (!form.shown.has(name)) continue
      const said = errorsOfAnswer(field, enteredFor(field, entered), today, language)
      if (said.length > 0) {
        errors[name] = said
        firstStep ??= at
        hasGap ||= said[0] === validatorTexts.required
        continue
      }
      const value = form.values[name]
      if (value !== undefined) accepted[name] = value
    }
  }
  if (firstStep !== null) return { ok: false, errors, step: firstStep, message: hasGap ? formTexts.gaps : null }
  return {
    ok: true,
    accepted,
    named: namedAnswers(definition, form.values, accepted),
    scores: step === undefined ? scoresOf(definition, accepted) : null,
  }
}

function errorsOfAnswer(field: FormField, entered: unknown, today: string, language?: string): string[] {
  const kind = answerKindOf(field.type)
  if (kind === 'none' || kind === 'computed') return []
  const read = readAnswer(field, entered, language)
  if ('wrong' in read) return [read.wrong]
  const isMissing = 'isBlank' in read || read.value === false
  if (isMissing && field.config.required) return [validatorTexts.required]
  return 'value' in read ? validateAnswer(field, read.value, today, language) : []
}

/** Names without a field, and those of display-only fields. */
function unknownNames(definition: FormDefinition, entered: EnteredAnswers): Record<string, string[]> {
  const { byName } = planOf(definition)
  const unknown = Object.keys(entered).filter((name) => {
    const known = byName.get(name)
    return !known || answerKindOf(known.field.type) === 'none'
  })
  const reported = unknown.slice(0, formLimits.unknownNamesReportedMax).map((name) => reportedName(name))
  return Object.fromEntries(reported.map((name) => [name, [formTexts.unknownName]]))
}

/** An unknown name can be any text, so the error repeats it only if it could be a name. */
const reportedName = (name: string): string => (/^[A-Za-z0-9_.-]{1,60}$/.test(name) && !(name in {}) ? name : 'form')

function namedAnswers(
  { input_name_conditions: conditions }: FormDefinition,
  values: Answers,
  accepted: Answers,
): Answers {
  const all: StepsLeft = { left: formLimits.stepsOfAllMax }
  const named: Answers = {}
  for (const [name, value] of Object.entries(accepted)) {
    const rules = Object.hasOwn(conditions, name) ? (conditions[name] ?? {}) : {}
    // Alphabetical, since the database does not preserve the order of object keys.
    const others = Object.keys(rules).sort()
    const found = others.find(
      (other) => !Object.hasOwn(named, other) && evaluateRule(rules[other] ?? null, values, all),
    )
    named[found ?? name] = value
  }
  return named
}

/** The points of all answers, if the form is a questionnaire. */
function scoresOf(definition: FormDefinition, accepted: Answers): Scores | null {
  const fields = definition.steps.flatMap((step) => step.fields)
  const counts = definition.result_bands.length > 0 || fields.some(({ scores }) => Object.keys(scores).length > 0)
  if (!counts) return null
  const total = fields.reduce((sum, field) => sum + pointsOf(field, accepted[field.input_name]), 0)
  return { total, band: definition.result_bands.find(({ from, to }) => from <= total && total <= to) ?? null }
}

function pointsOf({ scores }: FormField, answer: AnswerValue | undefined): number {
  if (answer === undefined) return 0
  const values = Array.isArray(answer) ? answer : [`${answer}`]
  return values.reduce((sum, value) => sum + (Object.hasOwn(scores, value) ? (scores[value] ?? 0) : 0), 0)
}

/**
 * Steps with at least one visible field under these answers. Next and Back skip a step whose fields are all hidden; a step without
 * any fields stays.
 */
export function shownSteps(definition: FormDefinition, shown: ReadonlySet<string>): number[] {
  return definition.steps.flatMap(({ fields }, at) => {
    const seen = fields.filter(({ type }) => type !== 'hidden' && type !== 'button')
    return fields.length === 0 || seen.some(({ input_name: name }) => shown.has(name)) ? [at] : []
  })
}

/** The defaults of a new form. */
export function initialAnswers(definition: FormDefinition): Answers {
  const fields = definition.steps.flatMap((step) => step.fields)
  return Object.fromEntries(
    fields.flatMap((field) => {
      const read = field.config.default === undefined ? { isBlank: true } : readAnswer(field, field.config.default)
      return 'value' in read ? [[field.input_name, read.value]] : []
    }),
  )
}

/** The answers of another version or from storage that this form's fields can still parse, shown or not. */
export function draftAnswers(definition: FormDefinition, entered: EnteredAnswers): Answers {
  const { byName } = planOf(definition)
  return Object.fromEntries(
    Object.entries(entered).flatMap(([name, value]) => {
      const field = byName.get(name)?.field
      const read = field ? readAnswer(field, value) : { isBlank: true }
      return 'value' in read ? [[name, read.value]] : []
    }),
  )
}
