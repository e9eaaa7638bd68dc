import {
  type FieldConfig,
  type FormDefinition,
  type FormField,
  formFileTypes,
} from '@atrium/contract/forms/definition.ts'
import { answerKindOf, countsAsNumber } from '@atrium/contract/forms/field-settings.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { fieldsOfFormula, readFormula } from '@atrium/contract/forms/formula.ts'
import { limits } from '@atrium/contract/limits.ts'
import { validateFormula } from '@atrium/contract/validators/numbers.ts'
import { Checkbox } from '@mantine/core'
import { DecimalField } from '../../../ui/fields/decimal-field.tsx'
import { MultiSelect } from '../../../ui/fields/multi-select.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { Textarea } from '../../../ui/fields/text-area.tsx'
import { TextInput } from '../../../ui/fields/text-input.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { allFields } from '../form-names.ts'
import parts from './builder.module.css'
import { choicesOf } from './condition-labels.ts'
import { changeConfig } from './form-edit.ts'
import { type Setting, settingLabels } from './setting-labels.ts'
import type { Editor } from './use-form-editor.ts'

type SettingFieldProps = { definition: FormDefinition; field: FormField; setting: Setting; editor: Editor }
const decimalsOf = ({ type, config }: FormField): number =>
  type === 'number' ? 0 : (config.decimals ?? formLimits.decimalsMax)

type OwnProps = Omit<SettingFieldProps, 'setting' | 'editor'> & {
  label: string
  set: (value: FieldConfig[Setting]) => void
}

/** The input for one setting of a field, according to its type. */
export function SettingField({ definition, field, setting, editor }: SettingFieldProps) {
  const { t } = useTranslation()
  const name = field.input_name
  const { label: words, kind, hint } = settingLabels[setting]
  const label = t(words)
  const value = field.config[setting]
  const set = (next: FieldConfig[Setting]) =>
    editor.change((form) => changeConfig(form, name, { [setting]: next }), `${setting}:${name}`)
  if (kind === 'whole')
    return (
      <NumberField
        isDense
        label={label}
        value={typeof value === 'number' ? value : null}
        onChange={(next) => set(next ?? undefined)}
      />
    )
  if (kind === 'decimal')
    return (
      <DecimalField
        size="xs"
        line="between"
        label={label}
        decimals={decimalsOf(field)}
        value={typeof value === 'string' ? value : ''}
        onChange={(next) => set(next || undefined)}
      />
    )
  if (kind === 'own')
    return <OwnField definition={definition} field={field} setting={setting} label={label} set={set} />
  return (
    <TextInput
      size="xs"
      label={label}
      {...(hint && { placeholder: hint })}
      charsMax={setting === 'help' ? formLimits.descriptionCharsMax : formLimits.labelCharsMax}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  )
}

function OwnField({ setting, ...props }: OwnProps & { setting: Setting }) {
  const { t } = useTranslation()
  const { field, label, set } = props
  if (setting === 'default') return <DefaultField {...props} />
  if (setting === 'formula') return <FormulaField {...props} />
  if (setting === 'file_types')
    return (
      <MultiSelect
        size="xs"
        label={label}
        placeholder={field.config.file_types ? '' : t('All allowed file types')}
        data={formFileTypes.map((type) => ({ value: type, label: type.toUpperCase() }))}
        description={t('Up to {{kb}} KB each.', { kb: field.config.size_kb_max ?? limits.formFileSizeKbMax })}
        value={field.config.file_types ?? []}
        onChange={(types) => set(types.length > 0 ? formFileTypes.filter((type) => types.includes(type)) : undefined)}
      />
    )
  if (setting === 'html')
    return (
      <Textarea
        size="xs"
        className={parts.code ?? ''}
        label={label}
        description={t('Headings, paragraphs, lists, tables and links. Scripts are refused.')}
        autosize
        minRows={4}
        maxRows={16}
        charsMax={formLimits.htmlCharsMax}
        value={field.config.html ?? ''}
        onChange={(event) => set(event.currentTarget.value)}
      />
    )
  if (setting === 'format')
    return (
      <Select
        size="xs"
        label={label}
        allowDeselect={false}
        data={[
          { value: '24', label: t('24-hour') },
          { value: '12', label: t('12-hour (AM/PM)') },
        ]}
        value={field.config.format ?? '24'}
        onChange={(value) => set(value === '12' ? '12' : undefined)}
      />
    )
  return (
    <Select
      size="xs"
      label={label}
      allowDeselect={false}
      data={[
        { value: 'back', label: t('Previous step') },
        { value: 'next', label: t('Next step') },
        { value: 'submit', label: t('Send the form') },
      ]}
      value={field.config.button ?? 'next'}
      onChange={(value) => set(value === 'back' || value === 'submit' ? value : 'next')}
    />
  )
}

function DefaultField({ field, label, set }: OwnProps) {
  const { t } = useTranslation()
  const value = field.config.default
  const kind = answerKindOf(field.type)
  if (kind === 'flag')
    return (
      <Checkbox
        size="xs"
        label={t('Checked by default')}
        checked={value === true}
        onChange={(event) => set(event.currentTarget.checked || undefined)}
      />
    )
  const choices = choicesOf(field, t)
  if (choices && kind === 'choices')
    return (
      <MultiSelect
        size="xs"
        label={label}
        data={choices}
        value={Array.isArray(value) ? value : []}
        onChange={(next) => set(next.length > 0 ? next : undefined)}
      />
    )
  if (choices)
    return (
      <Select
        size="xs"
        label={label}
        clearable
        data={choices}
        value={typeof value === 'string' ? value : null}
        onChange={(next) => set(next ?? undefined)}
      />
    )
  if (kind === 'number')
    return (
      <DecimalField
        size="xs"
        line="between"
        label={label}
        decimals={decimalsOf(field)}
        value={typeof value === 'string' ? value : ''}
        onChange={(next) => set(next || undefined)}
      />
    )
  return (
    <TextInput
      size="xs"
      label={field.type === 'hidden' ? t('Value') : label}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  )
}

/** Validates while typing that the formula parses and refers to existing numeric fields. */
function FormulaField({ definition, field, label, set }: OwnProps) {
  const { t } = useTranslation()
  const formula = field.config.formula ?? ''
  const numbers = allFields(definition).filter((each) => each !== field && countsAsNumber(each))
  const invalid = validateFormula(formula)
  const read = invalid === null ? readFormula(formula) : null
  const unknown = read
    ? fieldsOfFormula(read).filter((name) => !numbers.some(({ input_name }) => input_name === name))
    : []
  const error =
    formula.trim() === ''
      ? t('Enter a formula.')
      : invalid
        ? t(invalid)
        : unknown.length > 0
          ? t('Not a numeric field: {{names}}', { names: unknown.join(', ') })
          : undefined
  return (
    <div>
      <Textarea
        size="xs"
        className={parts.code ?? ''}
        label={label}
        description={t('Numbers, + - * / % ^, brackets, and fields by their name in answers.')}
        autosize
        minRows={2}
        maxRows={8}
        charsMax={limits.formulaCharsMax}
        spellCheck={false}
        value={formula}
        error={error}
        onChange={(event) => set(event.currentTarget.value)}
      />
      {numbers.length > 0 && (
        <Select
          size="xs"
          mt={4}
          aria-label={t('Insert a field into the formula')}
          placeholder={t('Insert a field')}
          searchable
          data={numbers.map(({ input_name, name }) => ({ value: input_name, label: name || input_name }))}
          value={null}
          onChange={(name) => name && set(`${formula.trim() === '0' ? '' : formula}{${name}}`)}
        />
      )}
    </div>
  )
}
