import type { FieldOption, FormField } from '@atrium/contract/forms/definition.ts'
import { mayHaveScores } from '@atrium/contract/forms/field-settings.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ActionIcon, Button } from '@mantine/core'
import { IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { TextInput } from '../../../ui/fields/text-input.tsx'
import { useRowFocus } from '../../../ui/forms/use-row-focus.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { freshName, nameOfWords } from '../form-names.ts'
import parts from './builder.module.css'
import { changeField } from './form-edit.ts'
import { moveOption, putOption, removeOption, scoreOf } from './form-options.ts'
import type { Editor } from './use-form-editor.ts'

type OptionsEditorProps = { field: FormField; editor: Editor }

/** The options in order, each with its label, stored value and points. */
export function OptionsEditor({ field, editor }: OptionsEditorProps) {
  const { t } = useTranslation()
  const { options, input_name: name } = field
  const hasScores = mayHaveScores(field.type)
  const [isPasting, setPasting] = useState(false)
  const focus = useRowFocus<HTMLUListElement>()
  const change: Change = (edit, mark) =>
    editor.change((form) => {
      const now = form.steps.flatMap(({ fields }) => fields).find(({ input_name }) => input_name === name)
      if (!now) return null
      const { options: next, scores } = edit(now)
      return changeField(form, name, { options: next, scores })
    }, mark && `${mark}:${name}`)
  const add = (labels: string[]) =>
    change((now) => {
      const values = new Set(now.options.map(({ value }) => value))
      const added = labels.map((label): FieldOption => {
        const value = freshName(values, nameOfWords(label))
        values.add(value)
        return { value, label }
      })
      return { ...now, options: [...now.options, ...added].slice(0, formLimits.optionsMax) }
    })
  return (
    <fieldset className={parts.group}>
      <legend>{t('Options')}</legend>
      {options.length === 0 && <p className={parts.quiet}>{t('Without options every value can be chosen.')}</p>}
      <SortableOptions field={field} hasScores={hasScores} change={change} focus={focus} />
      <div>
        <Button
          ref={focus.adding}
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => add([t('Option {{number}}', { number: options.length + 1 })])}
        >
          {t('Add an option')}
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => setPasting(!isPasting)}>
          {t('Paste a list')}
        </Button>
      </div>
      {isPasting && (
        <TextInput
          size="xs"
          label={t('Options separated by semicolons, then Enter')}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add(
              event.currentTarget.value
                .split(/[;\n]/)
                .map((each) => each.trim())
                .filter((each) => each !== ''),
            )
            event.currentTarget.value = ''
            setPasting(false)
          }}
        />
      )}
      {hasScores && <p className={parts.quiet}>{t('The points of the chosen options are added up.')}</p>}
    </fieldset>
  )
}

type Change = (edit: (field: FormField) => FormField, mark?: string) => void
type SortableOptionsProps = {
  field: FormField
  hasScores: boolean
  change: Change
  focus: ReturnType<typeof useRowFocus<HTMLUListElement>>
}

/** The options, sorted by dragging or by the keyboard; a screen reader hears each step. */
function SortableOptions({ field, hasScores, change, focus }: SortableOptionsProps) {
  const { t } = useTranslation()
  const { options } = field
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const ids = options.map((_, at) => String(at))
  const labelOf = (id: string | number) =>
    options[Number(id)]?.label || t('Option {{number}}', { number: Number(id) + 1 })
  const at = (id: string | number) => ({ option: labelOf(id), place: Number(id) + 1, count: options.length })
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: {
          onDragStart: ({ active }) => t('{{option}} was picked up, position {{place}} of {{count}}.', at(active.id)),
          onDragOver: ({ active, over }) =>
            over
              ? t('{{option}} is at position {{place}} of {{count}}.', { ...at(over.id), option: labelOf(active.id) })
              : undefined,
          onDragEnd: ({ active, over }) =>
            t('{{option}} was dropped at position {{place}} of {{count}}.', {
              ...at((over ?? active).id),
              option: labelOf(active.id),
            }),
          onDragCancel: ({ active }) => t('{{option}} did not move.', { option: labelOf(active.id) }),
        },
        screenReaderInstructions: {
          draggable: t(
            'Press Space to pick up the option, the arrow keys to move it, Space to drop it, Escape to cancel.',
          ),
        },
      }}
      onDragEnd={({ active, over }) =>
        over && change((now) => ({ ...now, options: moveOption(now.options, Number(active.id), Number(over.id)) }))
      }
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul ref={focus.list} data-stack="sm">
          {options.map((option, index) => (
            <OptionRow
              // biome-ignore lint/suspicious/noArrayIndexKey: values are written while they are edited, and may be doubled then
              key={index}
              id={String(index)}
              option={option}
              hasScores={hasScores}
              score={scoreOf(field, option.value)}
              onChange={(part, score) => change((now) => putOption(now, index, part, score), `option ${index}`)}
              onRemove={() => focus.removed(index, () => change((now) => removeOption(now, index)))}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

type OptionRowProps = {
  id: string
  option: FieldOption
  hasScores: boolean
  /** Null for no points. */
  score: number | null
  onChange: (part: Partial<FieldOption>, score?: number | null) => void
  onRemove: () => void
}

function OptionRow({ id, option, hasScores, score, onChange, onRemove }: OptionRowProps) {
  const { t } = useTranslation()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition } = useSortable({
    id,
    attributes: { roleDescription: t('draggable') },
  })
  const values = { option: option.label || t('Option {{number}}', { number: Number(id) + 1 }) }
  return (
    <li
      ref={setNodeRef}
      className={`${parts.option} ${hasScores ? '' : parts.plain}`}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className={parts.handle}
        {...attributes}
        {...listeners}
        aria-label={t('Drag {{option}}', values)}
      >
        <IconGripVertical size={16} stroke={1.5} aria-hidden />
      </button>
      <TextInput
        size="xs"
        aria-label={t('Label of {{option}}', values)}
        charsMax={formLimits.labelCharsMax}
        value={option.label}
        onChange={(event) => onChange({ label: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        aria-label={t('Value of {{option}}', values)}
        charsMax={formLimits.optionValueCharsMax}
        spellCheck={false}
        value={option.value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      {hasScores && (
        <NumberField
          isDense
          aria-label={t('Points for {{option}}', values)}
          placeholder={t('Points')}
          value={score}
          onChange={(points) => onChange({}, points)}
        />
      )}
      <ActionIcon size={26} aria-label={t('Remove {{option}}', values)} onClick={onRemove}>
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </li>
  )
}
