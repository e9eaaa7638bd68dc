import { type FormDefinition, type FormField, isInputName } from '@atrium/contract/forms/definition.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { formDefinitionTexts } from '@atrium/contract/forms/form-texts.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { focusWhenLost } from '../../ui/feedback/focus-heading.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './builder/builder.module.css'
import { ConditionEditor } from './builder/condition-editor.tsx'
import { setSentNames } from './builder/form-edit.ts'
import type { Editor } from './builder/use-form-editor.ts'
import { conditionOf, namesOf } from './form-names.ts'

type SentNamesProps = { definition: FormDefinition; field: FormField; editor: Editor }

/** Alternative names for the answer; if several match, the alphabetically first applies. Collapsed, because rarely needed. */
export function SentNames({ definition, field, editor }: SentNamesProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const name = field.input_name
  const names = conditionOf(definition.input_name_conditions, name) ?? {}
  const set = (next: typeof names) => editor.change((form) => setSentNames(form, name, next), `sent:${name}`)
  const error =
    text === '' || isInputName(text)
      ? namesOf(definition).has(text)
        ? t('Another field of this form has this name.')
        : undefined
      : t(formDefinitionTexts.inputName)
  const add = () => {
    if (text === '' || error) return
    set({ ...names, [text]: true })
    setText('')
  }
  const adding = useRef<HTMLInputElement>(null)
  const remove = (gone: string) => {
    flushSync(() => set(Object.fromEntries(Object.entries(names).filter(([each]) => each !== gone))))
    focusWhenLost(adding.current)
  }
  return (
    <details open={Object.keys(names).length > 0 || undefined}>
      <summary>{t('Sent under another name')}</summary>
      {Object.entries(names).map(([other, rule]) => (
        <ConditionEditor
          key={other}
          label={t('As {{name}} when', { name: other })}
          without={t('Always.')}
          definition={definition}
          of=""
          rule={rule === true ? undefined : rule}
          onChange={(next) => set({ ...names, [other]: next ?? true })}
        />
      ))}
      {Object.keys(names).map((other) => (
        <Button key={other} size="compact-xs" variant="subtle" onClick={() => remove(other)}>
          {t('Remove the name {{name}}', { name: other })}
        </Button>
      ))}
      <div className={parts.condition}>
        <TextInput
          ref={adding}
          size="xs"
          aria-label={t('Another name for the answer')}
          placeholder={t('Another name for the answer')}
          charsMax={formLimits.inputNameCharsMax}
          spellCheck={false}
          value={text}
          error={error}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <Button size="xs" variant="default" leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={add}>
          {t('Add')}
        </Button>
      </div>
    </details>
  )
}
