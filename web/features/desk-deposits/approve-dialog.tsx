import { formatAmount } from '@atrium/contract/money.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readerLanguage } from '../../ui/format.ts'
import { type DecisionDialogProps, DecisionFacts, DecisionProblem, isFirstOfTwo, useDecision } from './decision.tsx'
import parts from './decision-dialogs.module.css'

/** Names the thing and the consequence; the focus is on the safe choice. */
export function ApproveDialog({ deposit, isOpen, onClose, onGone, ...ways }: DecisionDialogProps) {
  const { t } = useTranslation()
  const { decide, isPending, error } = useDecision(deposit, ways)
  const amount = `${formatAmount(deposit.amount, deposit.currency, readerLanguage())} ${deposit.currency}`
  const isFirst = isFirstOfTwo(deposit)
  const login = deposit.account.platform_login
  return (
    <Modal
      opened={isOpen}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={onGone}
      title={t('Approve deposit T-{{ticket}} of {{amount}}?', { ticket: deposit.ticket, amount })}
      size={460}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <DecisionFacts deposit={deposit} />
      <p className={parts.text}>
        {isFirst
          ? t('This amount needs a second approval. After yours, a colleague has to approve it before it is processed.')
          : t('{{amount}} will be credited to account {{login}} on the platform at once. This cannot be undone here.', {
              amount,
              login,
            })}
      </p>
      <DecisionProblem error={error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" data-autofocus disabled={isPending} onClick={onClose}>
          {t('Not now')}
        </Button>
        <Button loading={isPending} onClick={() => decide({ do: 'approve' })}>
          {isFirst ? t('Approve (first of two)') : t('Approve and credit')}
        </Button>
      </Group>
    </Modal>
  )
}
