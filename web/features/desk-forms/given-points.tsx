import type { FormField } from '@atrium/contract/forms/definition.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import parts from './builder.module.css'
import { changeField } from './form-edit.ts'
import { putPoints, scoreText } from './form-options.ts'
import type { Editor } from './use-form-editor.ts'

/** Points where the answers are given by the kind: yes and no, or a box that is ticked. */
export function GivenPoints({ field, editor }: { field: FormField; editor: Editor }) {
  const { t } = useTranslation()
  const name = field.input_name
  const values =
    field.type === 'yes_no'
      ? [
          { value: 'yes', label: t('Points of yes') },
          { value: 'no', label: t('Points of no') },
        ]
      : [{ value: 'true', label: t('Points when it is ticked') }]
  return (
    <div className={parts.pair}>
      {values.map(({ value, label }) => (
        <TextInput
          key={value}
          size="xs"
          inputMode="numeric"
          label={label}
          maxLength={8}
          value={scoreText(field, value)}
          onChange={(event) => {
            const scores = putPoints(field.scores, value, event.currentTarget.value)
            editor.change((form) => changeField(form, name, { scores }), `points:${value}:${name}`)
          }}
        />
      ))}
    </div>
  )
}
