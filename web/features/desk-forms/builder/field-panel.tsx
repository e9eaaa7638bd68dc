import {
  type FieldType,
  type FormDefinition,
  type FormField,
  fieldTypes,
  isInputName,
} from '@atrium/contract/forms/definition.ts'
import { hasAnswer, mayHaveScores, settingsOf, takesOptions } from '@atrium/contract/forms/field-settings.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { formDefinitionTexts } from '@atrium/contract/forms/form-texts.ts'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Select } from '../../../ui/fields/select.tsx'
import { Textarea } from '../../../ui/fields/text-area.tsx'
import { TextInput } from '../../../ui/fields/text-input.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { conditionOf } from '../form-names.ts'
import { SentNames } from '../sent-names.tsx'
import parts from './builder.module.css'
import { ConditionEditor } from './condition-editor.tsx'
import { fieldLabels } from './field-labels.ts'
import { changeConfig, changeField, changeInputName, setShowCondition } from './form-edit.ts'
import { GivenPoints } from './given-points.tsx'
import { changeType } from './new-field.ts'
import { OptionsEditor } from './options-editor.tsx'
import { SettingField } from './setting-field.tsx'
import { settingOrder } from './setting-labels.ts'
import type { Editor } from './use-form-editor.ts'

type FieldPanelProps = { definition: FormDefinition; field: FormField; editor: Editor }

/** All settings of one field: texts, validation and condition. */
export function FieldPanel({ definition, field, editor }: FieldPanelProps) {
  const { t } = useTranslation()
  const name = field.input_name
  const settings = settingsOf(field.type)
  const change = (part: Partial<FormField>, mark: string) =>
    editor.change((form) => changeField(form, name, part), `${mark}:${name}`)
  const setType = (type: FieldType) => editor.change((form) => changeType(form, name, type, t))
  return (
    <section className={parts.panel} aria-label={t('Field settings')}>
      <h3 className={parts.panelTitle}>{field.name || t(fieldLabels[field.type].label)}</h3>
      <TextInput
        size="xs"
        label={t('Name')}
        description={t('Shown to members above the field.')}
        charsMax={formLimits.labelCharsMax}
        value={field.name}
        error={field.name.trim() === '' ? t('Enter a name for members.') : undefined}
        onChange={(event) => change({ name: event.currentTarget.value }, 'name')}
      />
      <Textarea
        size="xs"
        label={t('Description')}
        autosize
        minRows={1}
        maxRows={5}
        charsMax={formLimits.descriptionCharsMax}
        value={field.description ?? ''}
        onChange={(event) => change({ description: event.currentTarget.value || null }, 'description')}
      />
      <div className={parts.pair}>
        <Select
          size="xs"
          label={t('Type')}
          searchable
          allowDeselect={false}
          data={fieldTypes.map((type) => ({ value: type, label: t(fieldLabels[type].label) }))}
          value={field.type}
          onChange={(type) => {
            const next = fieldTypes.find((each) => each === type)
            if (next) setType(next)
          }}
        />
        <InputName key={name} definition={definition} field={field} editor={editor} />
      </div>
      {settings.includes('required') && (
        <Checkbox
          size="xs"
          label={t('Required')}
          checked={field.config.required ?? false}
          onChange={(event) => {
            const required = event.currentTarget.checked || undefined
            editor.change((form) => changeConfig(form, name, { required }))
          }}
        />
      )}
      {settingOrder
        .map((row) => row.filter((setting) => settings.includes(setting)))
        .filter((row) => row.length > 0)
        .map((row) => (
          <div key={row.join(' ')} className={parts.pair}>
            {row.map((setting) => (
              <SettingField key={setting} definition={definition} field={field} setting={setting} editor={editor} />
            ))}
          </div>
        ))}
      {takesOptions(field.type) && <OptionsEditor key={`options ${name}`} field={field} editor={editor} />}
      {mayHaveScores(field.type) && !takesOptions(field.type) && <GivenPoints field={field} editor={editor} />}
      <ConditionEditor
        key={`condition ${name}`}
        label={t('Shown when')}
        without={t('Always shown.')}
        definition={definition}
        of={name}
        rule={conditionOf(definition.show_conditions, name)}
        onChange={(rule) => editor.change((form) => setShowCondition(form, name, rule), `condition:${name}`)}
      />
      {hasAnswer(field) && <SentNames key={`sent ${name}`} definition={definition} field={field} editor={editor} />}
    </section>
  )
}

/** Applied on blur, because conditions are updated to the new name and a partial name would be invalid. */
function InputName({ definition, field, editor }: FieldPanelProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(field.input_name)
  const isTaken = text !== field.input_name && changeInputName(definition, field.input_name, text) === null
  const error = !isInputName(text)
    ? t(formDefinitionTexts.inputName)
    : isTaken
      ? t('Another field of this form has this name.')
      : undefined
  const takeOver = () => {
    if (error) return setText(field.input_name)
    if (text === field.input_name) return
    editor.change((form) => changeInputName(form, field.input_name, text))
    editor.select({ kind: 'field', name: text })
  }
  return (
    <TextInput
      size="xs"
      label={t('Name in answers')}
      charsMax={formLimits.inputNameCharsMax}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={error}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={takeOver}
      onKeyDown={(event) => event.key === 'Enter' && takeOver()}
    />
  )
}
