import { type ExceptionDecision, exceptionTexts } from '@atrium/contract/payments/exceptions.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useOpened } from '../../forms/use-opened.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type DeskException, isReturn, shownException, useDecide } from './use-payments.ts'

const labels = { decision: 'How should it be resolved?', outside_reference: 'Refund reference', note: 'Reason' }
const returnLabels = { ...labels, outside_reference: 'Payment reference' }

const referenceOf = ({ state, outside_reference }: DeskException) => (state === 'proposed' && outside_reference) || ''

/**
 * The decision about a payment with the proposal that it had at opening, so that one of a colleague in the meantime causes a
 * conflict. The refusal tells of it, and from then on the dialog shows and answers it.
 */
export function useDecideForm(row: DeskException, onClose: () => void) {
  const { t } = useTranslation()
  const { opened: asked, takeNewer } = useOpened({
    row,
    newest: (queries) => shownException(queries, row._id),
    refusals: [exceptionTexts.proposedMeanwhile],
  })
  const deciding = useDecide(asked._id)
  const isProposed = asked.state === 'proposed'
  const seen = isProposed ? asked.decision : null
  const seen_reference = isProposed ? asked.outside_reference : null
  const form = useCallForm({
    // The reference of the proposal, because two people record the same payment.
    start: { decision: asked.decision as ExceptionDecision | null, note: '', outside_reference: referenceOf(asked) },
    labels: isReturn(asked) ? returnLabels : labels,
    check: ({ decision }) => (decision === null ? { decision: ['Please choose a decision.'] } : {}),
    key: 'own',
    send: ({ decision, note, outside_reference: reference }, { key }) =>
      deciding.mutateAsync({
        ...{ idempotency_key: key, seen, seen_reference },
        decision: decision ?? 'explained',
        note,
        outside_reference: decision === 'given_back' ? reference : '',
      }),
    onDone: ({ case: now }) => {
      toast.done(now.state === 'proposed' ? t('Saved. It needs a second approval.') : t('Decided.'))
      onClose()
    },
    onRefused(error, sent) {
      const newer = takeNewer(error)
      if (newer && sent.outside_reference === '') form.change({ outside_reference: referenceOf(newer) })
    },
  })
  return { form, asked }
}
