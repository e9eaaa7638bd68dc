import { type ReactNode, useId } from 'react'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './form.module.css'
import { type FieldProps, helpOf, useField } from './use-field.ts'

export type Labelled = {
  'aria-labelledby': string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'aria-required': boolean
}

type FrameProps = FieldProps & { children: (labelled: Labelled) => ReactNode }

/** Label and help or error around a field that is not a single input: choices, date ranges, files, a signature. */
export function FieldFrame({ store, field, children }: FrameProps) {
  const { t } = useTranslation()
  const id = useId()
  const { errors } = useField(store, field.input_name)
  const [error] = errors
  const help = helpOf(field)
  const { required = false } = field.config
  const labelled: Labelled = {
    'aria-labelledby': `${id}-label`,
    'aria-describedby': error || help ? `${id}-note` : undefined,
    'aria-invalid': error !== undefined,
    'aria-required': required,
  }
  return (
    <div className={parts.group}>
      <div id={`${id}-label`} className={`${parts.label} ${required ? requiredLabel.className : ''}`}>
        {field.name}
      </div>
      {children(labelled)}
      {error ? (
        <p id={`${id}-note`} className={parts.error}>
          {t(error)}
        </p>
      ) : (
        help && (
          <p id={`${id}-note`} className={parts.help}>
            {help}
          </p>
        )
      )}
    </div>
  )
}
