import type { FieldType, FormDefinition } from '@atrium/contract/forms/definition.ts'
import {
  type Announcements,
  type CollisionDetection,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import parts from './builder.module.css'
import { addField } from './form-edit.ts'
import { type Direction, findField, moveField, type Place, rowsOf } from './form-places.ts'
import { distanceTo, type Gap, gapTowards, placeOfGap } from './gaps.ts'
import { newField } from './new-field.ts'
import type { Editor } from './use-form-editor.ts'

/** What is dragged: a field that stands in the form, or a kind out of the palette. Its label is how it is called aloud. */
export type Dragged = { label: string } & ({ kind: 'field'; name: string } | { kind: 'new'; type: FieldType })

/** Before it moves this far, a press is a click. */
const clickPx = 6
/** Let go of farther away from every gap, it stays where it was. */
const reachPx = 96

type BuilderDragProps = { definition: FormDefinition; editor: Editor; children: ReactNode }

/** Whatever can be dragged by pointer or by keyboard, and the gaps into which it is dropped. */
export function BuilderDrag({ definition, editor, children }: BuilderDragProps) {
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: clickPx } }),
    useSensor(KeyboardSensor, { coordinateGetter: toNextGap }),
  )
  const drop = ({ active, over }: DragEndEvent) => {
    setDragged(null)
    const place = over && placeOfGap(String(over.id))
    const what = draggedOf(active.data.current)
    if (!place || !what) return
    if (what.kind === 'field') {
      editor.change((form) => moveField(form, what.name, place))
      editor.select({ kind: 'field', name: what.name })
      return
    }
    const added = addField(editor.read(), newField(what.type, t), place)
    if (!added) return
    editor.change(() => added.definition)
    editor.select({ kind: 'field', name: added.name })
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={nearestGap}
      accessibility={{
        announcements: announcementsIn(definition, t),
        screenReaderInstructions: {
          draggable: t(
            'Press Space to take the field, the arrows to go from gap to gap, Space to drop it, Escape to leave it where it was.',
          ),
        },
      }}
      onDragStart={({ active }) => setDragged(draggedOf(active.data.current))}
      onDragEnd={drop}
      onDragCancel={() => setDragged(null)}
    >
      {children}
      <DragOverlay dropAnimation={null}>{dragged && <div className={parts.ghost}>{dragged.label}</div>}</DragOverlay>
    </DndContext>
  )
}

const draggedOf = (data: Record<string, unknown> | undefined): Dragged | null => (data?.dragged as Dragged) ?? null

/** Under the pointer counts the gap that is nearest to it; by keyboard the dragged thing stands on its gap exactly. */
const nearestGap: CollisionDetection = ({ droppableContainers, droppableRects, pointerCoordinates, collisionRect }) => {
  const point = pointerCoordinates
    ? { left: pointerCoordinates.x, top: pointerCoordinates.y }
    : { left: collisionRect.left, top: collisionRect.top }
  return droppableContainers
    .flatMap((droppableContainer) => {
      const rect = droppableRects.get(droppableContainer.id)
      const value = rect ? distanceTo(rect, point) : reachPx
      return value < reachPx ? [{ id: droppableContainer.id, data: { droppableContainer, value } }] : []
    })
    .sort((one, other) => one.data.value - other.data.value)
}

const directions: Record<string, Direction> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

const toNextGap: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  const direction = directions[event.code]
  if (!direction) return
  event.preventDefault()
  const gaps = context.droppableContainers.getEnabled().flatMap(({ id }): Gap[] => {
    const rect = context.droppableRects.get(id)
    return rect ? [{ id: String(id), left: rect.left, top: rect.top, width: rect.width, height: rect.height }] : []
  })
  const next = gapTowards(direction, { left: currentCoordinates.x, top: currentCoordinates.y }, gaps)
  return next ? { x: next.left, y: next.top } : undefined
}

/** Said aloud while it happens, with names instead of ids. */
function announcementsIn(definition: FormDefinition, t: TFunction): Announcements {
  const labelOf = (data: Record<string, unknown> | undefined) => draggedOf(data)?.label ?? ''
  const over = (id: string | number | undefined) => {
    const place = id === undefined ? null : placeOfGap(String(id))
    return place && placeWords(definition, place, t)
  }
  return {
    onDragStart: ({ active }) => t('{{field}} is taken.', { field: labelOf(active.data.current) }),
    onDragOver: ({ active, over: gap }) => {
      const place = over(gap?.id)
      return place ? t('{{field}}: {{place}}.', { field: labelOf(active.data.current), place }) : undefined
    },
    onDragEnd: ({ active, over: gap }) => {
      const place = over(gap?.id)
      return place
        ? t('{{field}} was dropped: {{place}}.', { field: labelOf(active.data.current), place })
        : t('{{field}} stays where it was.', { field: labelOf(active.data.current) })
    },
    onDragCancel: ({ active }) => t('{{field}} stays where it was.', { field: labelOf(active.data.current) }),
  }
}

export function placeWords(definition: FormDefinition, { stepId, row, column }: Place, t: TFunction): string {
  const at = definition.steps.findIndex(({ _id }) => _id === stepId)
  const step = definition.steps[at]
  const names = {
    step: step?.name || t('Step {{number}}', { number: at + 1 }),
    row: row + 1,
    column: (column ?? 0) + 1,
  }
  if (column !== null) return t('{{step}}, row {{row}}, place {{column}}', names)
  const isLast = step ? row >= rowsOf(step).length : true
  return isLast ? t('{{step}}, a new row at the end', names) : t('{{step}}, a new row before row {{row}}', names)
}

/** Where a field stands now, for the announcement of a step by a button. */
export function whereIs(definition: FormDefinition, name: string, t: TFunction): string {
  const found = findField(definition, name)
  return found ? placeWords(definition, { stepId: found.step._id, row: found.row, column: found.column }, t) : ''
}
