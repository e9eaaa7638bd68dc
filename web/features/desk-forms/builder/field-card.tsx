import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { useDraggable } from '@dnd-kit/core'
import { ActionIcon } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconCopy,
  IconGitBranch,
  IconGripVertical,
  IconTrash,
} from '@tabler/icons-react'
import { memo, useEffect, useRef } from 'react'
import { useConfirm } from '../../../ui/feedback/confirm.tsx'
import { focusHeadingWhenLost } from '../../../ui/feedback/focus-heading.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { Tooltip } from '../../../ui/tooltip/tooltip.tsx'
import { dependentsOf } from '../form-names.ts'
import { type Direction, nudgeField } from '../form-places.ts'
import parts from './builder.module.css'
import { type Dragged, whereIs } from './builder-drag.tsx'
import { dependentLabels } from './dependent-labels.ts'
import { fieldLabels } from './field-labels.ts'
import { duplicateField, removeField } from './form-edit.ts'
import type { Editor } from './use-form-editor.ts'

type FieldCardProps = {
  field: FormField
  editor: Editor
  isSelected: boolean
  hasCondition: boolean
  isWrong: boolean
  /** The whole form for the selected field, whose possible moves depend on its neighbours; null otherwise. */
  form: FormDefinition | null
}

/** A field on the canvas. Memoized, because a form may have hundreds of fields. */
export const FieldCard = memo(function FieldCard(props: FieldCardProps) {
  const { field, editor, isSelected, hasCondition, isWrong, form } = props
  const { t } = useTranslation()
  const { label: kind, icon: Icon } = fieldLabels[field.type]
  const label = field.name || t(kind)
  const dragged: Dragged = { kind: 'field', name: field.input_name, label }
  const { setNodeRef, attributes, listeners, setActivatorNodeRef, isDragging } = useDraggable({
    id: `field:${field.input_name}`,
    data: { dragged },
    attributes: { roleDescription: t('draggable') },
  })
  const card = useRef<HTMLDivElement | null>(null)
  useEffect(() => {
    if (isSelected) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  return (
    <div
      ref={(node) => {
        card.current = node
        setNodeRef(node)
      }}
      className={`${parts.card} ${isSelected ? parts.chosen : ''} ${isWrong ? parts.wrong : ''} ${isDragging ? parts.gone : ''}`}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className={parts.handle}
        {...attributes}
        {...listeners}
        aria-label={t('Drag {{field}}', { field: label })}
      >
        <IconGripVertical size={16} stroke={1.5} aria-hidden />
      </button>
      <button
        type="button"
        className={parts.face}
        aria-pressed={isSelected}
        onClick={() => editor.select({ kind: 'field', name: field.input_name })}
      >
        <Icon size={16} stroke={1.5} aria-hidden />
        <span className={parts.faceText}>
          <span className={parts.faceName}>
            {label}
            {field.config.required === true && <span aria-hidden>{' *'}</span>}
          </span>
          <span className={parts.faceMore}>
            {t(kind)}
            {field.config.required === true && <span className={parts.unseen}>{t(', required')}</span>}
          </span>
        </span>
        {hasCondition && (
          <Tooltip label={t('Shown under a condition')}>
            <IconGitBranch size={16} stroke={1.5} aria-label={t('Shown under a condition')} role="img" />
          </Tooltip>
        )}
        {isWrong && (
          <IconAlertTriangle
            size={16}
            stroke={1.5}
            aria-label={t('Has a problem')}
            role="img"
            className={parts.alarm}
          />
        )}
      </button>
      {form && <CardActions form={form} field={field} label={label} editor={editor} />}
    </div>
  )
})

const nudges: { direction: Direction; label: string; icon: typeof IconArrowUp }[] = [
  { direction: 'up', label: 'Move {{field}} up', icon: IconArrowUp },
  { direction: 'down', label: 'Move {{field}} down', icon: IconArrowDown },
  { direction: 'left', label: 'Move {{field}} to the previous place', icon: IconArrowLeft },
  { direction: 'right', label: 'Move {{field}} to the next place', icon: IconArrowRight },
]

type CardActionsProps = { form: FormDefinition; field: FormField; editor: Editor; label: string }

function CardActions({ form, field, label, editor }: CardActionsProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const name = field.input_name
  const values = { field: label }
  const bar = useRef<HTMLDivElement>(null)
  // A move to another row remounts the card, so the focus is restored for the next key press.
  useEffect(() => {
    const direction = editor.pressed.current
    if (direction === null || !bar.current) return
    editor.pressed.current = null
    const buttons = [...bar.current.querySelectorAll('button')].filter((button) => !button.disabled)
    const same = buttons.find((button) => button.dataset.direction === direction)
    ;(same ?? buttons[0])?.focus()
  })
  const nudge = (direction: Direction) => {
    const moved = nudgeField(editor.read(), name, direction)
    if (!moved) return
    editor.pressed.current = direction
    editor.change(() => moved)
    editor.announce(t('{{field}}: {{place}}.', { field: label, place: whereIs(moved, name, t) }))
  }
  const copy = () => {
    const copied = duplicateField(editor.read(), name)
    if (!copied) return
    editor.change(() => copied.definition)
    editor.select({ kind: 'field', name: copied.name })
  }
  const remove = async () => {
    const dependents = dependentsOf(editor.read(), name)
    const yes =
      dependents.length === 0 ||
      (await confirm({
        title: t('Remove {{field}}?', values),
        body: t('Other fields depend on it and have to be corrected afterwards: {{fields}}.', {
          fields: dependentLabels(editor.read(), dependents, t),
        }),
        action: t('Remove the field'),
        stay: t('Keep it'),
        isDangerous: true,
      }))
    if (!yes) return
    editor.change((before) => removeField(before, name))
    editor.select(null)
    editor.announce(t('{{field}} was removed.', values))
    focusHeadingWhenLost()
  }
  return (
    <div ref={bar} className={parts.actions} role="toolbar" aria-label={t('Position of {{field}}', values)}>
      {nudges.map(({ direction, label: nudgeLabel, icon: Icon }) => (
        <ActionIcon
          key={direction}
          data-direction={direction}
          size={26}
          aria-label={t(nudgeLabel, values)}
          disabled={nudgeField(form, name, direction) === null}
          onClick={() => nudge(direction)}
        >
          <Icon size={16} stroke={1.5} />
        </ActionIcon>
      ))}
      <ActionIcon size={26} aria-label={t('Copy {{field}}', values)} onClick={copy}>
        <IconCopy size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon size={26} aria-label={t('Remove {{field}}', values)} onClick={remove}>
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </div>
  )
}
