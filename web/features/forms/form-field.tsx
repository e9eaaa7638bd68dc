import type { FieldType, FormField } from '@atrium/contract/forms/definition.ts'
import { isTermsLink } from '@atrium/contract/terms/html.ts'
import { Anchor, Button } from '@mantine/core'
import { type ComponentType, type CSSProperties, memo } from 'react'
import { RichText } from '../../ui/text/rich-text.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import {
  BoxField,
  ClockField,
  GroupField,
  OptionField,
  RadioField,
  ScaleField,
  SelectField,
  SeveralField,
  YesNoField,
} from './choice-fields.tsx'
import { FileField, FilesField } from './file-fields.tsx'
import parts from './form.module.css'
import type { FormAct } from './form-store.ts'
import type { OwnChoices } from './own-choices.ts'
import { SignatureField } from './signature-field.tsx'
import { ComputedField, DayField, DaysField, LineField, LinesField, NumericField } from './typed-fields.tsx'
import { type FieldProps, useField, usePlace } from './use-field.ts'

type Asked = Exclude<
  FieldType,
  'static_content' | 'http_link' | 'button' | 'hidden' | 'trading_account' | 'bank_account'
>

const fields: Record<Asked, ComponentType<FieldProps>> = {
  text: LineField,
  textarea: LinesField,
  number: NumericField,
  decimal: NumericField,
  date: DayField,
  time: ClockField,
  date_range: DaysField,
  select: OptionField,
  searchable_select: OptionField,
  multi_select: SeveralField,
  radio: RadioField,
  checkbox: BoxField,
  checkbox_group: GroupField,
  yes_no: YesNoField,
  scale: ScaleField,
  email: LineField,
  phone: LineField,
  country: OptionField,
  currency: OptionField,
  iban: LineField,
  bic: LineField,
  link: LineField,
  formula: ComputedField,
  file: FileField,
  files: FilesField,
  signature: SignatureField,
  consent: BoxField,
}

type CellProps = FieldProps & { span: number; own: OwnChoices; onAct: (act: FormAct) => void; isSending: boolean }

/** One field in the grid; re-renders only when its own state changes. */
export const FormCell = memo(function FormCell({ span, ...props }: CellProps) {
  const { store, field } = props
  const { isShown } = useField(store, field.input_name)
  if (!isShown) return null
  return (
    <div className={parts.cell} style={{ '--span': span } as CSSProperties}>
      <FieldOfType {...props} />
    </div>
  )
})

function FieldOfType({ store, field, own, onAct, isSending }: Omit<CellProps, 'span'>) {
  const { type, config } = field
  if (type === 'hidden') return null
  if (type === 'static_content') return <RichText html={config.html ?? ''} headingLevel={3} />
  if (type === 'http_link') return <LinkOut field={field} />
  if (type === 'button') return <StepButton store={store} field={field} onAct={onAct} isSending={isSending} />
  if (type === 'trading_account')
    return (
      <SelectField
        store={store}
        field={field}
        data={own.accounts.options}
        unread={own.accounts.unread}
        isSearchable
        none="You have no trading accounts created."
      />
    )
  if (type === 'bank_account')
    return (
      <SelectField
        store={store}
        field={field}
        data={own.banks.options}
        unread={own.banks.unread}
        isSearchable
        none="There are no bank accounts."
      />
    )
  const Field = fields[type]
  return <Field store={store} field={field} />
}

/** A button field of the form, which replaces the default button. */
function StepButton({ store, field: { name, config }, onAct, isSending }: Omit<CellProps, 'span' | 'own'>) {
  const { at, isLast } = usePlace(store)
  const { button = 'next' } = config
  if (button === 'back')
    return at === 0 ? null : (
      <Button type="button" variant="default" disabled={isSending} onClick={() => onAct('back')}>
        {name}
      </Button>
    )
  // A submit button, so that Enter presses it.
  return button === 'next' || isLast ? (
    <Button type="submit" loading={isSending}>
      {name}
    </Button>
  ) : (
    <Button type="button" loading={isSending} onClick={() => onAct('submit')}>
      {name}
    </Button>
  )
}

/** Opens in a new tab, so that the form stays open. */
function LinkOut({ field: { name, description, config } }: { field: FormField }) {
  const { t } = useTranslation()
  const { href = '' } = config
  return (
    <div>
      {isTermsLink(href) ? (
        <Anchor href={href} target="_blank" rel="noopener noreferrer" title={t('Opens in a new tab')}>
          {name}
        </Anchor>
      ) : (
        name
      )}
      {(config.help || description) && <p className={parts.help}>{config.help ?? description}</p>}
    </div>
  )
}
