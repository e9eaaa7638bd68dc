import type { FieldConfig, FieldType, FormField } from './definition.ts'

/** The kind of an answer: `none` for display-only fields, `computed` for values that the form calculates. */
export type AnswerKind =
  | 'text'
  | 'number'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'day'
  | 'clock'
  | 'span'
  | 'id'
  | 'ids'
  | 'computed'
  | 'none'

type Setting = keyof FieldConfig
type TypeRule = { kind: AnswerKind; settings: readonly Setting[]; needs?: Setting; hasScores?: true }

const asked: readonly Setting[] = ['required', 'help', 'width']
const typed: readonly Setting[] = [...asked, 'placeholder', 'default']
const numeric: readonly Setting[] = [...typed, 'min', 'max']
const dated: readonly Setting[] = [...asked, 'min_date', 'max_date']
const filed: readonly Setting[] = [...asked, 'file_types', 'size_kb_max']
const counted: readonly Setting[] = [...typed, 'count_min', 'count_max']

const typeRules: Record<FieldType, TypeRule> = {
  static_content: { kind: 'none', settings: ['width', 'html'], needs: 'html' },
  http_link: { kind: 'none', settings: ['width', 'help', 'href'], needs: 'href' },
  button: { kind: 'none', settings: ['width', 'button'], needs: 'button' },
  hidden: { kind: 'text', settings: ['default', 'chars_max'] },
  text: { kind: 'text', settings: [...typed, 'chars_max'] },
  textarea: { kind: 'text', settings: [...typed, 'chars_max'] },
  number: { kind: 'number', settings: numeric },
  decimal: { kind: 'number', settings: [...numeric, 'decimals'] },
  date: { kind: 'day', settings: [...dated, 'placeholder', 'default'] },
  time: { kind: 'clock', settings: [...typed, 'format'] },
  date_range: { kind: 'span', settings: dated },
  select: { kind: 'choice', settings: typed, hasScores: true },
  searchable_select: { kind: 'choice', settings: typed, hasScores: true },
  multi_select: { kind: 'choices', settings: counted, hasScores: true },
  radio: { kind: 'choice', settings: [...asked, 'default'], hasScores: true },
  checkbox: { kind: 'flag', settings: [...asked, 'default'], hasScores: true },
  checkbox_group: { kind: 'choices', settings: counted, hasScores: true },
  yes_no: { kind: 'choice', settings: [...asked, 'default'], hasScores: true },
  scale: { kind: 'choice', settings: [...asked, 'default', 'label_low', 'label_high'], hasScores: true },
  email: { kind: 'text', settings: typed },
  phone: { kind: 'text', settings: typed },
  country: { kind: 'choice', settings: typed },
  currency: { kind: 'choice', settings: typed },
  iban: { kind: 'text', settings: typed },
  bic: { kind: 'text', settings: typed },
  link: { kind: 'text', settings: typed },
  formula: { kind: 'computed', settings: ['help', 'width', 'formula', 'decimals'], needs: 'formula' },
  file: { kind: 'id', settings: filed },
  files: { kind: 'ids', settings: [...filed, 'count_min', 'count_max'] },
  signature: { kind: 'id', settings: asked },
  trading_account: { kind: 'id', settings: asked },
  bank_account: { kind: 'id', settings: asked },
  consent: { kind: 'flag', settings: asked },
}

export const answerKindOf = (type: FieldType): AnswerKind => typeRules[type].kind
/** The settings that `config` of a field of this type may contain. */
export const settingsOf = (type: FieldType): readonly (keyof FieldConfig)[] => typeRules[type].settings
export const settingNeeded = (type: FieldType): keyof FieldConfig | null => typeRules[type].needs ?? null
export const mayHaveScores = (type: FieldType): boolean => typeRules[type].hasScores ?? false

/** Whether the field has an answer, entered or calculated. */
export const hasAnswer = (field: FormField): boolean => answerKindOf(field.type) !== 'none'

const needingOptions: readonly FieldType[] = [
  ...(['select', 'searchable_select', 'multi_select', 'radio', 'checkbox_group', 'scale'] as const),
]
/** Countries and currencies: all of them without options, otherwise only the options. */
const mayHaveOptions: readonly FieldType[] = [...needingOptions, 'country', 'currency']

export const needsOptions = (type: FieldType): boolean => needingOptions.includes(type)
export const takesOptions = (type: FieldType): boolean => mayHaveOptions.includes(type)

/** Fields that a formula can use. A choice counts by its value if that is a number, yes as 1 and no as 0. */
export function countsAsNumber({ type }: FormField): boolean {
  const kind = answerKindOf(type)
  if (kind === 'number' || kind === 'computed' || kind === 'flag' || type === 'hidden') return true
  return kind === 'choice' && type !== 'country' && type !== 'currency'
}
