import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DecisionFacts, isFirstOfTwo } from './decision.tsx'
import { amountOf, type DecisionDialogProps, useDecisionForm } from './use-decision-form.ts'

/** Names the deposit and the consequence; focuses the safe choice. */
export function ApproveDialog({ isOpen, onClose, onGone, ...asked }: DecisionDialogProps) {
  const { t } = useTranslation()
  const { form, deposit } = useDecisionForm({
    ...asked,
    start: {},
    labels: {},
    decisionOf: (_values, { approvals }) => ({ do: 'approve', seen: approvals }),
    doneAs: ({ state }) =>
      state === 'pending'
        ? 'T-{{ticket}} needs one more approval.'
        : 'T-{{ticket}} approved. {{amount}} is on its way to {{login}}.',
  })
  const isFirst = isFirstOfTwo(deposit)
  const amount = amountOf(deposit)
  return (
    <CallDialog
      {...{ form, isOpen, onClose, onGone }}
      title={t('Approve deposit T-{{ticket}} of {{amount}}?', { ticket: deposit.ticket, amount })}
      size={460}
      submit={isFirst ? t('Approve (first of two)') : t('Approve and credit')}
      cancel={t('Not now')}
      isQuestion
      unknown={t(outcomeTexts.decisionUnknown)}
    >
      <DecisionFacts deposit={deposit} />
      <p>
        {isFirst
          ? t('This amount needs a second approval. After yours, a colleague has to approve it before it is processed.')
          : t('{{amount}} will be credited to account {{login}} on the platform at once. This cannot be undone here.', {
              amount,
              login: deposit.account.platform_login,
            })}
      </p>
    </CallDialog>
  )
}
