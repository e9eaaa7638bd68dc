import type { FieldOption } from '@atrium/contract/forms/definition.ts'
import { Checkbox, Radio } from '@mantine/core'
import { useMemo } from 'react'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { FieldFrame } from './field-frame.tsx'
import parts from './form.module.css'
import { choicesOf, timeSlots } from './form-labels.ts'
import type { OwnList } from './own-choices.ts'
import { tickOption } from './ticked-options.ts'
import { type FieldProps, listOf, textOf, useField, useFieldParts } from './use-field.ts'

type SelectFieldProps = FieldProps & {
  data: readonly FieldOption[] | undefined
  isSearchable?: boolean
  /** The text shown without options. */
  none?: string
  /** Set when the options could not be loaded: opening the list asks for them again. */
  unread?: OwnList['unread']
}

/** A single choice, which can be cleared unless required. */
export function SelectField({ data, isSearchable = false, none, unread, ...props }: SelectFieldProps) {
  const { t } = useTranslation()
  const { value, set, parts: own } = useFieldParts(props)
  const { required = false } = props.field.config
  const isEmpty = data?.length === 0
  return (
    <Select
      placeholder={t(data === undefined ? 'Loading' : 'Choose')}
      {...own}
      {...(isEmpty && none && !unread && { description: t(none) })}
      {...(unread && { error: t(unread.why), onDropdownOpen: unread.again })}
      disabled={data === undefined}
      searchable={isSearchable}
      // Focusing the first invalid field must not open the list over the others.
      openOnFocus={false}
      clearable={!required}
      allowDeselect={!required}
      nothingFoundMessage={t('There are no search results.')}
      clearButtonProps={{ 'aria-label': t('Clear {{name}}', { name: props.field.name }) }}
      data={[...(data ?? [])]}
      value={textOf(value) || null}
      onChange={(chosen) => set(chosen ?? '')}
    />
  )
}

export function OptionField(props: FieldProps) {
  const { field } = props
  const data = useMemo(() => choicesOf(field), [field])
  return <SelectField {...props} data={data} isSearchable={field.type !== 'select'} />
}

export function ClockField(props: FieldProps) {
  const { format } = props.field.config
  const data = useMemo(() => timeSlots(format), [format])
  return <SelectField {...props} data={data} isSearchable />
}

export function SeveralField(props: FieldProps) {
  const { t } = useTranslation()
  const { value, set, parts: own } = useFieldParts(props)
  const { options, config } = props.field
  return (
    <MultiSelect
      placeholder={listOf(value).length === 0 ? t('Choose') : undefined}
      {...own}
      size="md"
      searchable
      openOnFocus={false}
      data={options}
      {...(config.count_max !== undefined && { maxValues: config.count_max })}
      nothingFoundMessage={t('There are no search results.')}
      value={listOf(value)}
      onChange={set}
    />
  )
}

/** A radio group: vertical, or side by side for yes and no. */
function OneOf({ store, field, options }: FieldProps & { options: readonly FieldOption[] }) {
  const { value } = useField(store, field.input_name)
  return (
    <FieldFrame store={store} field={field}>
      {(labelled) => (
        <div role="radiogroup" {...labelled} className={field.type === 'yes_no' ? parts.beside : ''} data-stack="sm">
          {options.map((option) => (
            <Radio
              key={option.value}
              name={field.input_name}
              label={option.label}
              value={option.value}
              checked={value === option.value}
              onChange={() => store.set(field.input_name, option.value)}
            />
          ))}
        </div>
      )}
    </FieldFrame>
  )
}

export const RadioField = (props: FieldProps) => <OneOf {...props} options={props.field.options} />

export function YesNoField(props: FieldProps) {
  const { t } = useTranslation()
  const options = [
    { value: 'yes', label: t('Yes') },
    { value: 'no', label: t('No') },
  ]
  return <OneOf {...props} options={options} />
}

export function ScaleField({ store, field }: FieldProps) {
  const { value } = useField(store, field.input_name)
  const { label_low: low, label_high: high } = field.config
  return (
    <FieldFrame store={store} field={field}>
      {(labelled) => (
        <>
          <div role="radiogroup" {...labelled} className={parts.scale}>
            {field.options.map((option) => (
              <label key={option.value} className={parts.point}>
                <input
                  type="radio"
                  name={field.input_name}
                  value={option.value}
                  checked={value === option.value}
                  onChange={() => store.set(field.input_name, option.value)}
                />
                {option.label}
              </label>
            ))}
          </div>
          {(low || high) && (
            <div className={parts.ends}>
              <span>{low}</span>
              <span>{high}</span>
            </div>
          )}
        </>
      )}
    </FieldFrame>
  )
}

export function GroupField({ store, field }: FieldProps) {
  const { value } = useField(store, field.input_name)
  const chosen = listOf(value)
  const toggle = (one: string, isOn: boolean) => store.set(field.input_name, tickOption(field, chosen, one, isOn))
  return (
    <FieldFrame store={store} field={field}>
      {({ 'aria-required': _, ...labelled }) => (
        <fieldset {...labelled} className={parts.group} data-stack="sm">
          {field.options.map((option) => (
            <Checkbox
              key={option.value}
              label={option.label}
              checked={chosen.includes(option.value)}
              onChange={(event) => toggle(option.value, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
    </FieldFrame>
  )
}

/** A single checkbox with its label, for yes or consent. */
export function BoxField(props: FieldProps) {
  const { value, set, parts: own } = useFieldParts(props)
  const { name, label, description, error, required } = own
  return (
    <Checkbox
      name={name}
      label={label}
      required={required}
      {...(required && { labelProps: own.labelProps })}
      description={error ? undefined : description}
      error={error}
      checked={value === true}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  )
}
