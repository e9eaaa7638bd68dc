import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { useState } from 'react'
import { FormDesk } from '../features/desk-forms/form-desk.tsx'
import { FormsList } from '../features/desk-forms/forms-list.tsx'
import { AnswerSheet } from '../features/desk-requests/answer-sheet.tsx'
import { useHolds } from '../features/desk-session/desk-session.ts'
import { formDay } from '../features/forms/form-labels.ts'
import { createFormStore } from '../features/forms/form-store.ts'
import { FormView } from '../features/forms/form-view.tsx'
import { noOwnChoices } from '../features/forms/own-choices.ts'
import { useTranslation } from '../ui/text/use-translation.ts'

export function FormsPage() {
  return <FormsList mayManage={useHolds()('forms.manage')} />
}

export function FormPage() {
  return (
    <FormDesk
      mayManage={useHolds()('forms.manage')}
      draw={(definition) => <Sample definition={definition} />}
      drawAnswers={(answered) => <AnswerSheet answered={answered} />}
    />
  )
}

/** Renders and validates with the same code as for members. Another definition resets the sample. */
function Sample({ definition }: { definition: FormDefinition }) {
  const { t } = useTranslation()
  const [sample, setSample] = useState(() => ({ definition, store: begin(definition), turn: 0 }))
  if (sample.definition !== definition) setSample({ definition, store: begin(definition), turn: sample.turn + 1 })
  return (
    <FormView
      key={sample.turn}
      label={t('The form as members see it')}
      store={sample.store}
      own={noOwnChoices}
      onSubmit={() => undefined}
    />
  )
}

const begin = (definition: FormDefinition) => createFormStore(definition, { today: formDay(), isPreview: true })
