import type { FieldConfig, FieldOption, FieldType, FormDefinition } from '@atrium/contract/forms/definition.ts'
import { mayHaveScores, needsOptions, settingsOf, takesOptions } from '@atrium/contract/forms/field-settings.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import type { TFunction } from '../../../ui/text/i18n.ts'
import { findField } from '../form-places.ts'
import { fieldLabels } from './field-labels.ts'
import { changeField, type NewField } from './form-edit.ts'

export const stepNameCharsMax = formLimits.labelCharsMax
export const newStepId = (): string => crypto.randomUUID()

/** A new field with complete default settings, so that it works immediately. */
export function newField(type: FieldType, t: TFunction): NewField {
  return { type, name: t(fieldLabels[type].label), config: configOf(type, t), options: optionsOf(type, t) }
}

function configOf(type: FieldType, t: TFunction): FieldConfig {
  if (type === 'static_content') return { html: `<p>${t('Text that members read.')}</p>` }
  if (type === 'http_link') return { href: '/home' }
  if (type === 'button') return { button: 'next' }
  if (type === 'formula') return { formula: '0' }
  return type === 'consent' ? { required: true } : {}
}

const scalePoints = ['1', '2', '3', '4', '5']

function optionsOf(type: FieldType, t: TFunction): FieldOption[] {
  if (!needsOptions(type)) return []
  if (type === 'scale') return scalePoints.map((value) => ({ value, label: value }))
  return [1, 2].map((number) => ({ value: `option_${number}`, label: t('Option {{number}}', { number }) }))
}

/** A new form: one empty step. */
export const emptyForm = (t: TFunction): FormDefinition => ({
  steps: [{ _id: newStepId(), name: t('Step {{number}}', { number: 1 }), fields: [] }],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
})

/** Changes a field's type: drops settings that the new type lacks and adds those that it needs. */
export function changeType(definition: FormDefinition, name: string, type: FieldType, t: TFunction): FormDefinition {
  const field = findField(definition, name)?.field
  if (!field || field.type === type) return definition
  const fresh = newField(type, t)
  const known = new Set<string>(settingsOf(type))
  const sharedSettings = Object.entries(field.config).filter(([setting]) => known.has(setting) && setting !== 'default')
  const config: FieldConfig = { ...fresh.config, ...Object.fromEntries(sharedSettings) }
  const isKnownList = takesOptions(type) && takesOptions(field.type) && isFreeList(type) && isFreeList(field.type)
  const options = isKnownList && field.options.length > 0 ? field.options : fresh.options
  const scores = isKnownList && mayHaveScores(type) ? field.scores : {}
  return changeField(definition, name, { type, config, options, scores })
}

/** Country and currency fields have fixed options. */
const isFreeList = (type: FieldType): boolean => type !== 'country' && type !== 'currency'
