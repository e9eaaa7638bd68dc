import type { FormStep } from '@atrium/contract/forms/definition.ts'
import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { useConfirm } from '../../../ui/feedback/confirm.tsx'
import { focusHeadingWhenLost } from '../../../ui/feedback/focus-heading.ts'
import { TextInput } from '../../../ui/fields/text-input.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { dependentsOf } from '../form-names.ts'
import parts from './builder.module.css'
import { dependentLabels } from './dependent-labels.ts'
import { duplicateStep, moveStep, removeStep, renameStep } from './form-edit.ts'
import { newStepId, stepNameCharsMax } from './new-field.ts'
import type { Editor } from './use-form-editor.ts'

type StepHeadProps = { step: FormStep; at: number; count: number; editor: Editor }

/** The step's title and the actions on the whole step. */
export function StepHead({ step, at, count, editor }: StepHeadProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const label = step.name || t('Step {{number}}', { number: at + 1 })
  const values = { step: label }
  const move = (by: -1 | 1) => editor.change((form) => moveStep(form, step._id, by))
  const copy = () => {
    const id = newStepId()
    editor.change((form) => duplicateStep(form, step._id, { _id: id, name: step.name }))
    editor.select({ kind: 'step', id })
  }
  const remove = async () => {
    const inside = new Set(step.fields.map(({ input_name }) => input_name))
    const dependents = step.fields
      .flatMap(({ input_name }) => dependentsOf(editor.read(), input_name))
      .filter(({ name }) => !inside.has(name))
    const yes =
      inside.size === 0 ||
      (await confirm({
        title:
          inside.size === 1
            ? t('Remove {{step}} with its field?', values)
            : t('Remove {{step}} with its {{count}} fields?', { ...values, count: inside.size }),
        body:
          dependents.length > 0
            ? t('Other fields depend on it and have to be corrected afterwards: {{fields}}.', {
                fields: dependentLabels(editor.read(), dependents, t),
              })
            : t('You can undo this until you leave this page.'),
        action: t('Remove the step'),
        stay: t('Keep it'),
        isDangerous: true,
      }))
    if (!yes) return
    editor.change((form) => removeStep(form, step._id))
    editor.select(null)
    focusHeadingWhenLost()
  }
  return (
    <div data-group="xs" data-nowrap data-align="center">
      <span className={parts.stepNumber} aria-hidden>
        {at + 1}
      </span>
      <TextInput
        size="xs"
        className={parts.stepName ?? ''}
        aria-label={t('Name of step {{number}}', { number: at + 1 })}
        placeholder={t('Step {{number}}', { number: at + 1 })}
        charsMax={stepNameCharsMax}
        value={step.name}
        onFocus={() => editor.select({ kind: 'step', id: step._id })}
        onChange={(event) => {
          const name = event.currentTarget.value
          editor.change((form) => renameStep(form, step._id, name), `step:${step._id}`)
        }}
      />
      <ActionIcon size={26} aria-label={t('Move {{step}} up', values)} disabled={at === 0} onClick={() => move(-1)}>
        <IconArrowUp size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon
        size={26}
        aria-label={t('Move {{step}} down', values)}
        disabled={at === count - 1}
        onClick={() => move(1)}
      >
        <IconArrowDown size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon size={26} aria-label={t('Copy {{step}}', values)} onClick={copy}>
        <IconCopy size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon size={26} aria-label={t('Remove {{step}}', values)} disabled={count === 1} onClick={remove}>
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}
