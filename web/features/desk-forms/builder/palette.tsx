import type { FieldType } from '@atrium/contract/forms/definition.ts'
import { useDraggable } from '@dnd-kit/core'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { findField, type Place } from '../form-places.ts'
import parts from './builder.module.css'
import type { Dragged } from './builder-drag.tsx'
import { fieldGroups, fieldLabels } from './field-labels.ts'
import { addField, endOf } from './form-edit.ts'
import { newField } from './new-field.ts'
import type { Editor, Selected } from './use-form-editor.ts'

type PaletteProps = { editor: Editor; selected: Selected }

/** The field types: drag one into the form, or press it to add it below the selection. Collapsed on a phone. */
export function Palette({ editor, selected }: PaletteProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const kindsId = useId()
  const add = (type: FieldType) => {
    const form = editor.read()
    const place = belowSelected(form, selected)
    const added = place && addField(form, newField(type, t), place)
    if (!added) return
    editor.change(() => added.definition)
    editor.select({ kind: 'field', name: added.name })
    setOpen(false)
  }
  return (
    <nav aria-label={t('Field types')} className={parts.side}>
      <Button
        size="sm"
        variant="default"
        fullWidth
        className={parts.fold ?? ''}
        leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={kindsId}
        onClick={() => setOpen(!isOpen)}
      >
        {t('Add a field')}
      </Button>
      <div id={kindsId} className={isOpen ? undefined : parts.folded} data-stack="md">
        {fieldGroups.map(({ label, types }) => (
          <section key={label} aria-label={t(label)}>
            <h3 className={parts.paletteTitle}>{t(label)}</h3>
            <ul className={parts.kinds}>
              {types.map((type) => (
                <li key={type}>
                  <Kind type={type} onAdd={() => add(type)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

/** A new row below the selected field, or at the end of the selected or last step. */
function belowSelected(form: ReturnType<Editor['read']>, selected: Selected): Place | null {
  const found = selected?.kind === 'field' ? findField(form, selected.name) : null
  if (found) return { stepId: found.step._id, row: found.row + 1, column: null }
  const id = selected?.kind === 'step' ? selected.id : null
  const step = form.steps.find(({ _id }) => _id === id) ?? form.steps.at(-1)
  return step ? endOf(step) : null
}

function Kind({ type, onAdd }: { type: FieldType; onAdd: () => void }) {
  const { t } = useTranslation()
  const { label, icon: Icon } = fieldLabels[type]
  const dragged: Dragged = { kind: 'new', type, label: t(label) }
  const { setNodeRef, listeners } = useDraggable({ id: `new:${type}`, data: { dragged } })
  return (
    <button
      ref={setNodeRef}
      type="button"
      className={parts.kind}
      aria-label={t('Add: {{kind}}', { kind: t(label) })}
      onClick={onAdd}
      // A key press adds the field, which is then moved on the canvas.
      onPointerDown={(event) => listeners?.onPointerDown?.(event)}
    >
      <Icon size={16} stroke={1.5} aria-hidden />
      {t(label)}
    </button>
  )
}
