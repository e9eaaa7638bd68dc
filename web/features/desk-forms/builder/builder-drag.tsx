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
import { type ReactNode, useState } from 'react'
import type { TFunction } from '../../../ui/text/i18n.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { type Direction, findField, moveField, type Place, rowsOf } from '../form-places.ts'
import parts from './builder.module.css'
import { addField } from './form-edit.ts'
import { distanceTo, type Gap, gapTowards, placeOfGap } from './gaps.ts'
import { newField } from './new-field.ts'
import type { Editor } from './use-form-editor.ts'

/** The dragged item: an existing field, or a field type from the palette. Screen readers announce its label. */
export type Dragged = { label: string } & ({ kind: 'field'; name: string } | { kind: 'new'; type: FieldType })

/** A shorter pointer movement counts as a click. */
const clickPx = 6
/** A drop farther than this from every gap is ignored. */
const reachPx = 96

type BuilderDragProps = { definition: FormDefinition; editor: Editor; children: ReactNode }

/** Drag and drop by pointer or keyboard, with the gaps between fields as targets. */
export function BuilderDrag({ definition, editor, children }: BuilderDragProps) {
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const [steps] = useState(stepsByKey)
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: clickPx } }),
    useSensor(KeyboardSensor, { coordinateGetter: steps.toNextGap }),
  )
  const end = () => {
    steps.forget()
    setDragged(null)
  }
  const drop = ({ active, over }: DragEndEvent) => {
    end()
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
      collisionDetection={steps.gapsBelow}
      accessibility={{
        announcements: announcementsIn(definition, t),
        screenReaderInstructions: {
          draggable: t(
            'Press Space to pick up the field, the arrow keys to move it, Space to drop it, Escape to cancel.',
          ),
        },
      }}
      onDragStart={({ active }) => setDragged(draggedOf(active.data.current))}
      onDragEnd={drop}
      onDragCancel={end}
    >
      {children}
      <DragOverlay dropAnimation={null}>{dragged && <div className={parts.ghost}>{dragged.label}</div>}</DragOverlay>
    </DndContext>
  )
}

const draggedOf = (data: Record<string, unknown> | undefined): Dragged | null => (data?.dragged as Dragged) ?? null

/** Gaps by distance from the pointer or, in a keyboard drag before the first step, from the corner of the dragged item. */
const nearestGaps: CollisionDetection = ({
  droppableContainers,
  droppableRects,
  pointerCoordinates,
  collisionRect,
}) => {
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

/**
 * A keyboard drag moves from gap to gap and remembers the gap, since the position on the screen is unreliable: the layout
 * shifts by a few pixels when a drag starts, and gaps are no wider than that.
 */
function stepsByKey() {
  let gapId: string | undefined
  const toNextGap: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
    const direction = directions[event.code]
    if (!direction) return
    event.preventDefault()
    const gaps = context.droppableContainers.getEnabled().flatMap(({ id }): Gap[] => {
      const rect = context.droppableRects.get(id)
      return rect ? [{ id: String(id), left: rect.left, top: rect.top, width: rect.width, height: rect.height }] : []
    })
    const from = gaps.find(({ id }) => id === gapId) ?? { left: currentCoordinates.x, top: currentCoordinates.y }
    const next = gapTowards(direction, from, gaps)
    if (!next) return
    gapId = next.id
    return { x: next.left, y: next.top }
  }
  const gapsBelow: CollisionDetection = (args) => {
    const gap = args.droppableContainers.find(({ id }) => id === gapId)
    return gap ? [{ id: gap.id, data: { droppableContainer: gap, value: 0 } }] : nearestGaps(args)
  }
  const forget = () => {
    gapId = undefined
  }
  return { toNextGap, gapsBelow, forget }
}

/** Screen reader announcements during a drag, with names instead of ids. */
function announcementsIn(definition: FormDefinition, t: TFunction): Announcements {
  const labelOf = (data: Record<string, unknown> | undefined) => draggedOf(data)?.label ?? ''
  const over = (id: string | number | undefined) => {
    const place = id === undefined ? null : placeOfGap(String(id))
    return place && describePlace(definition, place, t)
  }
  return {
    onDragStart: ({ active }) => t('{{field}} was picked up.', { field: labelOf(active.data.current) }),
    onDragOver: ({ active, over: gap }) => {
      const place = over(gap?.id)
      return place ? t('{{field}}: {{place}}.', { field: labelOf(active.data.current), place }) : undefined
    },
    onDragEnd: ({ active, over: gap }) => {
      const place = over(gap?.id)
      return place
        ? t('{{field}} was dropped: {{place}}.', { field: labelOf(active.data.current), place })
        : t('{{field}} did not move.', { field: labelOf(active.data.current) })
    },
    onDragCancel: ({ active }) => t('{{field}} did not move.', { field: labelOf(active.data.current) }),
  }
}

export function describePlace(definition: FormDefinition, { stepId, row, column }: Place, t: TFunction): string {
  const at = definition.steps.findIndex(({ _id }) => _id === stepId)
  const step = definition.steps[at]
  const names = {
    step: step?.name || t('Step {{number}}', { number: at + 1 }),
    row: row + 1,
    column: (column ?? 0) + 1,
  }
  if (column !== null) return t('{{step}}, row {{row}}, position {{column}}', names)
  const isLast = step ? row >= rowsOf(step).length : true
  return isLast ? t('{{step}}, a new row at the end', names) : t('{{step}}, a new row before row {{row}}', names)
}

/** A field's position, for the announcement after a move by button. */
export function whereIs(definition: FormDefinition, name: string, t: TFunction): string {
  const found = findField(definition, name)
  return found ? describePlace(definition, { stepId: found.step._id, row: found.row, column: found.column }, t) : ''
}
