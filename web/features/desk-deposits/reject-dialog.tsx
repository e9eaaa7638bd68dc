import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { deskReasons, type RejectionReason, rejectionReasons } from '@atrium/contract/funding/states.ts'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { ReasonFields, reasonFieldLabels } from '../../ui/forms/reason-fields.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DecisionFacts } from './decision.tsx'
import parts from './decision-dialogs.module.css'
import { reasonLabels } from './deposit-labels.ts'
import { amountOf, type DecisionDialogProps, useDecisionForm } from './use-decision-form.ts'

/** The reason determines the member's message, so the dialog shows both verbatim before sending. */
export function RejectDialog({ isOpen, onClose, onGone, ...asked }: DecisionDialogProps) {
  const { t } = useTranslation()
  const { form, deposit } = useDecisionForm({
    ...asked,
    start: { reason: null as RejectionReason | null, note: '' },
    labels: reasonFieldLabels,
    check: ({ reason }) => (reason === null ? { reason: ['Please choose a reason.'] } : {}),
    decisionOf: ({ reason, note }, { approvals }) => ({
      do: 'reject',
      seen: approvals,
      reason: reason ?? 'other',
      note: note.trim(),
    }),
    doneAs: () => 'T-{{ticket}} rejected. The member sees the reason.',
  })
  const { reason, note } = form.values
  return (
    <CallDialog
      {...{ form, isOpen, onClose, onGone }}
      title={t('Reject deposit T-{{ticket}} of {{amount}}?', { ticket: deposit.ticket, amount: amountOf(deposit) })}
      size={520}
      submit={t('Reject deposit')}
      cancel={t('Keep it pending')}
      isDangerous
      unknown={t(outcomeTexts.decisionUnknown)}
    >
      <DecisionFacts deposit={deposit} />
      <ReasonFields reasons={deskReasons} labels={reasonLabels} form={form} />
      {reason && <Letter reason={reason} note={note.trim()} />}
    </CallDialog>
  )
}

function Letter({ reason, note }: { reason: RejectionReason; note: string }) {
  const { t } = useTranslation()
  const { sentence, next } = rejectionReasons[reason]
  return (
    <div className={parts.letter} aria-live="polite">
      <p>{t('The member will read')}</p>
      <p>
        {t(sentence)} {t(next)}
      </p>
      {note && <p>{note}</p>}
    </div>
  )
}
