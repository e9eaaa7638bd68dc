import { z } from 'zod'
import { uploadPurposes } from '../files/calls.ts'
import { limits } from '../limits.ts'
import { isTermsLink } from '../terms/html.ts'
import { texts } from '../texts.ts'
import { isDay } from '../validators/dates.ts'
import { validateDecimal, validateFormula } from '../validators/numbers.ts'
import { formLimits } from './form-limits.ts'
import { formDefinitionTexts } from './form-texts.ts'
import { isAllowedHtml } from './html.ts'
import { isRule, type Rule } from './rules.ts'
import { isStorable } from './storable.ts'

export const fieldTypes = [
  ...(['static_content', 'http_link', 'button', 'hidden', 'text', 'textarea', 'number', 'decimal'] as const),
  ...(['date', 'time', 'date_range', 'select', 'searchable_select', 'multi_select', 'radio'] as const),
  ...(['checkbox', 'checkbox_group', 'yes_no', 'scale', 'email', 'phone', 'country', 'currency'] as const),
  ...(['iban', 'bic', 'link', 'formula', 'file', 'files', 'signature', 'trading_account'] as const),
  ...(['bank_account', 'consent'] as const),
] as const
export type FieldType = (typeof fieldTypes)[number]

/** Lowercase letters, digits and underscores; no property name of `Object.prototype`. */
export function isInputName(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,59}$/.test(name) && !(name in {})
}

const inputName = z.string().refine(isInputName, { error: formDefinitionTexts.inputName })
const rule = z.custom<Rule>(isRule, { error: formDefinitionTexts.rule })
const isLine = (text: string) => isStorable(text) && !/\p{Cc}/u.test(text)
const label = z.string().trim().min(1).max(formLimits.labelCharsMax).refine(isLine, texts.textUnreadable)
const note = z.string().max(formLimits.descriptionCharsMax).refine(isStorable, texts.textUnreadable)
/** Aborts on invalid text, since all later checks compare numbers. */
const decimalText = z
  .string()
  .min(1)
  .max(40)
  .refine((text) => validateDecimal(text) === null, { abort: true })
const wholeUpTo = (max: number) => z.int().min(0).max(max)

/** A day, or one relative to today: `today`, `today-18y`, `today+30d`. */
const dayText = z.string().refine((text) => isDay(text) || /^today(?:[+-][0-9]{1,4}[dmy])?$/.test(text))

const fieldOption = z.strictObject({
  value: z.string().trim().min(1).max(formLimits.optionValueCharsMax).refine(isLine, texts.textUnreadable),
  label,
})
export type FieldOption = z.output<typeof fieldOption>

/** File types of a file field: those allowed for form uploads. */
export const formFileTypes = uploadPurposes.form.extensions

/** All settings of fields; `settingsOf` lists those of each type. */
const fieldConfig = z.strictObject({
  required: z.boolean().optional(),
  placeholder: z.string().max(formLimits.labelCharsMax).refine(isLine, texts.textUnreadable).optional(),
  help: note.optional(),
  /** The initial value; a hidden field always has it. */
  default: z
    .union([
      z.string().max(formLimits.textareaCharsMax),
      z.boolean(),
      z.array(z.string().max(formLimits.optionValueCharsMax)).max(formLimits.optionsMax),
    ])
    .optional(),
  /** In twelfths of a row; fields without a width share the rest. */
  width: z.int().min(1).max(formLimits.columnsMax).optional(),
  min: decimalText.optional(),
  max: decimalText.optional(),
  min_date: dayText.optional(),
  max_date: dayText.optional(),
  chars_max: z.int().min(1).max(formLimits.textareaCharsMax).optional(),
  decimals: wholeUpTo(formLimits.decimalsMax).optional(),
  /** How a time is shown; stored as HH:MM in both cases. */
  format: z.enum(['12', '24']).optional(),
  count_min: wholeUpTo(formLimits.optionsMax).optional(),
  count_max: z.int().min(1).max(formLimits.optionsMax).optional(),
  file_types: z.array(z.enum(formFileTypes)).min(1).max(formFileTypes.length).optional(),
  size_kb_max: z.int().min(1).max(limits.formFileSizeKbMax).optional(),
  formula: z
    .string()
    .trim()
    .min(1)
    .refine((text) => validateFormula(text) === null)
    .optional(),
  button: z.enum(['back', 'next', 'submit']).optional(),
  href: z.string().trim().max(limits.linkCharsMax).refine(isTermsLink, { error: formDefinitionTexts.href }).optional(),
  html: z.string().refine(isAllowedHtml, { error: formDefinitionTexts.html }).optional(),
  /** Labels at the ends of a scale. */
  label_low: label.optional(),
  label_high: label.optional(),
})
export type FieldConfig = z.output<typeof fieldConfig>

const formField = z.strictObject({
  name: label,
  description: note.nullable(),
  type: z.enum(fieldTypes),
  options: z.array(fieldOption).max(formLimits.optionsMax),
  /** Points by value: of an option, of `yes` and `no`, of `true` for a ticked box. */
  scores: z.record(
    z.string().max(formLimits.optionValueCharsMax),
    z.int().min(-formLimits.scoreMax).max(formLimits.scoreMax),
  ),
  row: z.int().min(0).max(formLimits.rowsMax),
  column: z
    .int()
    .min(0)
    .max(formLimits.columnsMax - 1),
  config: fieldConfig,
  input_name: inputName,
})
export type FormField = z.output<typeof formField>

const formStep = z.strictObject({
  _id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  name: label,
  fields: z.array(formField).max(formLimits.fieldsMax),
})
export type FormStep = z.output<typeof formStep>

/** The meaning of a questionnaire's score; `from` and `to` are inclusive. */
const resultBand = z.strictObject({
  from: z.int(),
  to: z.int(),
  name: label,
  text: note,
})
export type ResultBand = z.output<typeof resultBand>

/**
 * A form definition as staff write it, immutable: another version is another object. `show_conditions` are by input
 * name; `input_name_conditions` rename an answer for its recipient by the alphabetically first name whose rule holds.
 */
export const definitionShape = z.strictObject({
  steps: z.array(formStep).min(1).max(formLimits.stepsMax),
  show_conditions: z.record(inputName, rule),
  input_name_conditions: z.record(inputName, z.record(inputName, rule)),
  result_bands: z.array(resultBand).max(formLimits.bandsMax).default([]),
})
export type FormDefinition = z.output<typeof definitionShape>
