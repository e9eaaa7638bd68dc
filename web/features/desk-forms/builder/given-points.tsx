import type { FormField } from '@atrium/contract/forms/definition.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from './builder.module.css'
import { changeField } from './form-edit.ts'
import { putPoints, scoreOf } from './form-options.ts'
import type { Editor } from './use-form-editor.ts'

/** Points of field types with fixed answers: yes/no and checkboxes. */
export function GivenPoints({ field, editor }: { field: FormField; editor: Editor }) {
  const { t } = useTranslation()
  const name = field.input_name
  const values =
    field.type === 'yes_no'
      ? [
          { value: 'yes', label: t('Points for yes') },
          { value: 'no', label: t('Points for no') },
        ]
      : [{ value: 'true', label: t('Points when checked') }]
  return (
    <div className={parts.pair}>
      {values.map(({ value, label }) => (
        <NumberField
          key={value}
          isDense
          label={label}
          value={scoreOf(field, value)}
          onChange={(points) => {
            const scores = putPoints(field.scores, value, points)
            editor.change((form) => changeField(form, name, { scores }), `points:${value}:${name}`)
          }}
        />
      ))}
    </div>
  )
}
