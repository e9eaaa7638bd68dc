import { Callout } from '../../../ui/feedback/state.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from './builder.module.css'
import type { FormProblem } from './form-problems.ts'
import type { Editor } from './use-form-editor.ts'

type ProblemListProps = { problems: FormProblem[]; hints: FormProblem[]; editor: Editor; onJump: () => void }

/** The problems of the form, each with a link to its field or step. */
export function ProblemList({ problems, hints, editor, onJump }: ProblemListProps) {
  const { t } = useTranslation()
  const jump = ({ field, step }: FormProblem) => {
    onJump()
    if (field) editor.select({ kind: 'field', name: field })
    else editor.select(step ? { kind: 'step', id: step } : null)
  }
  const list = (all: FormProblem[]) => (
    <ul data-plain>
      {all.map((problem) => (
        <li key={`${problem.message} ${problem.field} ${problem.step}`}>
          <button type="button" className={parts.problem} onClick={() => jump(problem)}>
            {t(problem.message)}
            {problem.field && ` (${problem.field})`}
          </button>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {problems.length > 0 && (
        // Not an alert, because it changes while staff type.
        <Callout meaning="amber">
          {t('The form cannot be saved yet:')}
          {list(problems)}
        </Callout>
      )}
      {problems.length === 0 && hints.length > 0 && <Callout meaning="grey">{list(hints)}</Callout>}
    </>
  )
}
