import type { FormField } from '@atrium/contract/forms/definition.ts'
import { answerKindOf } from '@atrium/contract/forms/field-settings.ts'
import type { TFunction } from '../../../ui/text/i18n.ts'
import {
  type ConditionGroup,
  type ConditionPart,
  type ConditionValue,
  isGroup,
  type Operator,
  takesNoValue,
} from './condition-text.ts'

/** The wording of each operator, between a field and a value. */
export const operatorLabels: Record<Operator, string> = {
  is: 'is',
  'is-not': 'is not',
  'is-one-of': 'is one of',
  'is-none-of': 'is none of',
  has: 'contains',
  lacks: 'does not contain',
  more: 'is more than',
  'at-least': 'is at least',
  less: 'is less than',
  'at-most': 'is at most',
  filled: 'is filled in',
  empty: 'is empty',
  ticked: 'is checked',
  unticked: 'is not checked',
}

const filling: Operator[] = ['filled', 'empty']
const ordering: Operator[] = ['is', 'is-not', 'more', 'at-least', 'less', 'at-most', ...filling]

/** The operators for a field type, the most common first. */
export function operatorsOf(type: FormField['type']): Operator[] {
  const kind = answerKindOf(type)
  if (kind === 'flag') return ['ticked', 'unticked']
  if (kind === 'number' || kind === 'computed' || kind === 'day' || kind === 'clock') return ordering
  if (type === 'scale') return [...ordering, 'is-one-of']
  if (kind === 'choice') return ['is', 'is-not', 'is-one-of', 'is-none-of', ...filling]
  if (kind === 'choices') return ['has', 'lacks', ...filling]
  return kind === 'text' ? ['is', 'is-not', 'has', 'lacks', ...filling] : filling
}

/** The labelled values of a choice field; null for free input. */
export function choicesOf(field: FormField, t: TFunction): { value: string; label: string }[] | null {
  if (field.type === 'yes_no')
    return [
      { value: 'yes', label: t('Yes') },
      { value: 'no', label: t('No') },
    ]
  const kind = answerKindOf(field.type)
  const isChoice = (kind === 'choice' || kind === 'choices') && field.options.length > 0
  return isChoice ? field.options.map(({ value, label }) => ({ value, label })) : null
}

/** A condition as one sentence: 'Country is "CY" and (Age is more than "17" or Consent is ticked)'. */
export function conditionLabels(part: ConditionPart, fields: ReadonlyMap<string, FormField>, t: TFunction): string {
  if (isGroup(part)) {
    const said = part.parts.map((each) => {
      const words = conditionLabels(each, fields, t)
      return isGroup(each) && each.parts.length > 1 ? `(${words})` : words
    })
    return said.join(part.joins === 'and' ? ` ${t('and')} ` : ` ${t('or')} `)
  }
  const field = fields.get(part.field)
  const name = field?.name || part.field
  const operator = t(operatorLabels[part.operator])
  if (takesNoValue(part.operator)) return `${name} ${operator}`
  const values = (Array.isArray(part.value) ? part.value : [part.value ?? '']).map((value) => said(value, field, t))
  return `${name} ${operator} ${values.join(', ')}`
}

type Effect = { stored: ConditionGroup | null; without: string; fields: ReadonlyMap<string, FormField> }

/** What is saved: an incomplete condition is none, however it looks while it is edited. */
export const effectLabels = ({ stored, without, fields }: Effect, t: TFunction): string =>
  stored ? conditionLabels(stored, fields, t) : without

function said(value: ConditionValue, field: FormField | undefined, t: TFunction): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  const known = field && choicesOf(field, t)?.find((choice) => choice.value === String(value))
  return `\u201c${known?.label ?? value}\u201d`
}
