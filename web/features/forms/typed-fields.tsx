import type { FieldType } from '@atrium/contract/forms/definition.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { DecimalField } from '../../ui/fields/decimal-field.tsx'
import { PhoneInput } from '../../ui/fields/phone-input.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput, type TextInputProps } from '../../ui/fields/text-input.tsx'
import { numberText } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { FieldFrame } from './field-frame.tsx'
import parts from './form.module.css'
import { type FieldProps, textOf, useField, useFieldParts } from './use-field.ts'

/** Keyboard and autofill hints per field type. */
const kinds: Partial<Record<FieldType, Pick<TextInputProps, 'type' | 'inputMode' | 'autoComplete' | 'spellCheck'>>> = {
  // Not type email and url, because the browser would trim the input silently.
  email: { inputMode: 'email', autoComplete: 'email', spellCheck: false },
  iban: { autoComplete: 'off', spellCheck: false },
  bic: { autoComplete: 'off', spellCheck: false },
  link: { inputMode: 'url', autoComplete: 'url', spellCheck: false },
}

export function LineField(props: FieldProps) {
  const { value, set, parts: own } = useFieldParts(props)
  const { type, config } = props.field
  if (type === 'phone') return <PhoneInput {...own} value={textOf(value)} onChange={set} />
  return (
    <TextInput
      {...kinds[type]}
      {...own}
      value={textOf(value)}
      charsMax={config.chars_max ?? formLimits.textCharsMax}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** Shows the reader's number format; the form stores the parsed decimal. */
export function NumericField(props: FieldProps) {
  const { value, set, parts: own } = useFieldParts(props)
  const { type, config } = props.field
  const decimals = type === 'number' ? 0 : (config.decimals ?? formLimits.decimalsMax)
  return <DecimalField {...own} decimals={decimals} value={textOf(value)} onChange={set} />
}

export function LinesField(props: FieldProps) {
  const { value, set, parts: own } = useFieldParts(props)
  return (
    <Textarea
      {...own}
      autosize
      minRows={3}
      maxRows={12}
      value={textOf(value)}
      charsMax={props.field.config.chars_max ?? formLimits.textareaCharsMax}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

/** Invalid text stays in the draft and fails validation; otherwise the previous date would be submitted. */
const asTyped = { keepsText: true, charsMax: formLimits.textCharsMax } as const

export function DayField(props: FieldProps) {
  const { value, set, parts: own } = useFieldParts(props)
  return <DateInput {...own} {...asTyped} value={textOf(value)} onChange={set} />
}

const spanOf = (value: unknown): { from: string; to: string } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value
    ? { from: textOf(value.from), to: textOf(value.to) }
    : { from: '', to: '' }

export function DaysField({ store, field }: FieldProps) {
  const { t } = useTranslation()
  const { value, errors } = useField(store, field.input_name)
  const span = spanOf(value)
  const change = (part: Partial<typeof span>) => store.set(field.input_name, { ...span, ...part })
  const whole = { ...span, onSpan: change }
  // Undefined rather than false, so that the input itself marks an unreadable date on blur.
  const isWrong = errors.length > 0 || undefined
  return (
    <FieldFrame store={store} field={field}>
      {(labelled) => (
        <div className={parts.days}>
          <DateInput
            aria-label={t('{{name}}, from', { name: field.name })}
            aria-describedby={labelled['aria-describedby']}
            placeholder={t('From')}
            value={span.from}
            {...asTyped}
            span={whole}
            error={isWrong}
            onChange={(from) => change({ from })}
          />
          <DateInput
            aria-label={t('{{name}}, to', { name: field.name })}
            aria-describedby={labelled['aria-describedby']}
            placeholder={t('To')}
            value={span.to}
            {...asTyped}
            span={whole}
            error={isWrong}
            onChange={(to) => change({ to })}
          />
        </div>
      )}
    </FieldFrame>
  )
}

/** A value calculated by the form, updated with every input. */
export function ComputedField({ store, field }: FieldProps) {
  const { value } = useField(store, field.input_name)
  return (
    <FieldFrame store={store} field={field}>
      {(labelled) => (
        <output className={parts.computed} aria-labelledby={labelled['aria-labelledby']}>
          {numberText(textOf(value)) || '\u2013'}
        </output>
      )}
    </FieldFrame>
  )
}
