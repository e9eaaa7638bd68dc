import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { answerKindOf } from '@atrium/contract/forms/field-settings.ts'
import { type CSSProperties, type ReactNode, useMemo } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './form.module.css'
import { answerText, type Named } from './form-labels.ts'
import { rowsOf } from './form-rows.ts'

type AnswersProps = {
  definition: FormDefinition
  answers: Readonly<Record<string, unknown>>
  named: Named
  /** Renders a file among the answers; members and staff open files through different calls. */
  renderFile: (id: string) => ReactNode
}

const holdsFiles = ({ type }: FormField) => type === 'file' || type === 'files' || type === 'signature'

/** Answers in the form's layout at the time of submission. Fields that were not shown are omitted. */
export function AnswersView({ definition, answers, named, renderFile }: AnswersProps) {
  const { t } = useTranslation()
  const steps = useMemo(
    () =>
      definition.steps
        .map(({ _id, name, fields }) => ({
          _id,
          name,
          rows: rowsOf(fields.filter((field) => isAnswered(field, answers))),
        }))
        .filter(({ rows }) => rows.length > 0),
    [definition, answers],
  )
  return (
    <div data-stack="xl">
      {steps.map(({ _id, name, rows }) => (
        <section key={_id} aria-label={name}>
          {definition.steps.length > 1 && <h3 className={parts.answersStep}>{name}</h3>}
          <div className={parts.answerList} data-stack="lg">
            {rows.map(({ row, cells }) => (
              <dl key={row} className={parts.row}>
                {cells.map(({ field, span }) => (
                  <div key={field.input_name} className={parts.cell} style={{ '--span': span } as CSSProperties}>
                    <dt>{field.name}</dt>
                    <dd>
                      {holdsFiles(field)
                        ? [answers[field.input_name]].flat().map((id) => <div key={`${id}`}>{renderFile(`${id}`)}</div>)
                        : (answerText(field, answers[field.input_name], named, t) ?? '\u2013')}
                    </dd>
                  </div>
                ))}
              </dl>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

const isAnswered = (field: FormField, answers: Readonly<Record<string, unknown>>): boolean =>
  answerKindOf(field.type) !== 'none' && field.type !== 'hidden' && Object.hasOwn(answers, field.input_name)
