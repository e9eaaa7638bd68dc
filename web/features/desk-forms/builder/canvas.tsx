import type { FormDefinition, FormField, FormStep } from '@atrium/contract/forms/definition.ts'
import { useDroppable } from '@dnd-kit/core'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { conditionOf } from '../form-names.ts'
import { columnsMax, rowsOf } from '../form-places.ts'
import parts from './builder.module.css'
import { FieldCard } from './field-card.tsx'
import { addStep } from './form-edit.ts'
import type { FormProblem } from './form-problems.ts'
import { gapId } from './gaps.ts'
import { newStepId } from './new-field.ts'
import { StepHead } from './step-head.tsx'
import type { Editor, Selected } from './use-form-editor.ts'

type CanvasProps = { definition: FormDefinition; editor: Editor; selected: Selected; problems: FormProblem[] }

/** The form under construction: steps, with rows and columns as on a wide page. */
export function Canvas({ definition, editor, selected, problems }: CanvasProps) {
  const { t } = useTranslation()
  const add = () => {
    const id = newStepId()
    const name = t('Step {{number}}', { number: definition.steps.length + 1 })
    editor.change((form) => addStep(form, { _id: id, name }))
    editor.select({ kind: 'step', id })
  }
  const wrong = new Set(problems.map(({ field }) => field))
  return (
    <div data-stack="md">
      {definition.steps.map((step, at) => (
        <section
          key={step._id}
          className={parts.step}
          aria-label={step.name || t('Step {{number}}', { number: at + 1 })}
        >
          <StepHead step={step} at={at} count={definition.steps.length} editor={editor} />
          <Rows definition={definition} step={step} editor={editor} selected={selected} wrong={wrong} />
        </section>
      ))}
      <Button
        size="xs"
        variant="default"
        className={parts.addStep ?? ''}
        leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
        onClick={add}
      >
        {t('Add a step')}
      </Button>
    </div>
  )
}

type RowsProps = Omit<CanvasProps, 'problems'> & { step: FormStep; wrong: ReadonlySet<string | null> }

function Rows({ definition, step, editor, selected, wrong }: RowsProps) {
  const { t } = useTranslation()
  const rows = rowsOf(step)
  return (
    <div className={parts.rows}>
      {rows.map((fields, row) => (
        <Fragment key={fields.map(({ input_name }) => input_name).join(' ')}>
          <RowGap id={gapId({ stepId: step._id, row, column: null })} />
          <div data-group="none" data-nowrap>
            {fields.map((field, column) => (
              <Fragment key={field.input_name}>
                {fields.length < columnsMax && <CellGap id={gapId({ stepId: step._id, row, column })} />}
                <Card definition={definition} field={field} editor={editor} selected={selected} wrong={wrong} />
              </Fragment>
            ))}
            {fields.length < columnsMax && <CellGap id={gapId({ stepId: step._id, row, column: fields.length })} />}
          </div>
        </Fragment>
      ))}
      <RowGap id={gapId({ stepId: step._id, row: rows.length, column: null })} isLast />
      {rows.length === 0 && <p className={parts.vacant}>{t('Drag a field here, or press one in the list.')}</p>}
    </div>
  )
}

function Card({ definition, field, editor, selected, wrong }: Omit<RowsProps, 'step'> & { field: FormField }) {
  const name = field.input_name
  const isSelected = selected?.kind === 'field' && selected.name === name
  return (
    <FieldCard
      field={field}
      editor={editor}
      form={isSelected ? definition : null}
      isSelected={isSelected}
      hasCondition={conditionOf(definition.show_conditions, name) !== undefined}
      isWrong={wrong.has(name)}
    />
  )
}

function RowGap({ id, isLast = false }: { id: string; isLast?: boolean }) {
  const { setNodeRef, isOver, active } = useDroppable({ id })
  return (
    <div
      ref={setNodeRef}
      className={`${parts.rowGap} ${isLast ? parts.lastGap : ''} ${active ? parts.ready : ''} ${isOver ? parts.over : ''}`}
    />
  )
}

function CellGap({ id }: { id: string }) {
  const { setNodeRef, isOver, active } = useDroppable({ id })
  return (
    <div ref={setNodeRef} className={`${parts.cellGap} ${active ? parts.ready : ''} ${isOver ? parts.over : ''}`} />
  )
}
