import { formatAmount } from '@atrium/contract/money.ts'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { Facts } from '../../ui/facts.tsx'
import { readerLanguage } from '../../ui/format.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import parts from './decision-dialogs.module.css'
import { platformName } from './deposit-words.ts'
import { type Decision, type DeskDeposit, isDecidedElsewhere, useDecide } from './use-desk-deposits.ts'

export type DecisionDialogProps = {
  deposit: DeskDeposit
  isOpen: boolean
  onClose: () => void
  /** The dialog has left the screen. */
  onGone: () => void
  onDecided: () => void
  /** Somebody else decided first. */
  onOvertaken: () => void
}
export const isFirstOfTwo = ({ approvals, approvals_needed }: DeskDeposit): boolean => approvals + 1 < approvals_needed

type Ways = Pick<DecisionDialogProps, 'onDecided' | 'onOvertaken'>

/** One decision about one deposit, sent once. Somebody else's earlier one closes the dialog: the page shows what stands. */
export function useDecision(deposit: DeskDeposit, { onDecided, onOvertaken }: Ways) {
  const { t } = useTranslation()
  const attempt = useDecide()
  // Two presses in one frame come before the button could show that it is busy.
  const isSent = useRef(false)
  const amount = `${formatAmount(deposit.amount, deposit.currency, readerLanguage())} ${deposit.currency}`

  const decide = (decision: Decision) => {
    if (isSent.current) return
    isSent.current = true
    attempt.mutate(
      { id: deposit._id, decision },
      {
        onSuccess: () => {
          const words = { ticket: deposit.ticket, amount, login: deposit.account.platform_login }
          if (decision.do === 'approve' && isFirstOfTwo(deposit))
            notice.done(t('T-{{ticket}} needs one more approval.', words))
          else if (decision.do === 'approve')
            notice.done(t('T-{{ticket}} approved. {{amount}} is on its way to {{login}}.', words))
          else notice.done(t('T-{{ticket}} rejected. The member sees the reason.', words))
          onDecided()
        },
        onError: (error) => {
          if (!isDecidedElsewhere(error)) return
          onOvertaken()
        },
        onSettled: () => {
          isSent.current = false
        },
      },
    )
  }
  return { decide, isPending: attempt.isPending, error: isDecidedElsewhere(attempt.error) ? null : attempt.error }
}

export function DecisionFacts({ deposit }: { deposit: DeskDeposit }) {
  const { t } = useTranslation()
  const { member, account } = deposit
  const kind = account.live_account ? t('Live') : t('Demo')
  return (
    <div className={parts.facts}>
      <Facts
        facts={[
          {
            name: t('Amount'),
            value: `${formatAmount(deposit.amount, deposit.currency, readerLanguage())} ${deposit.currency}`,
          },
          { name: t('Account'), value: `${platformName(account.platform_type)} ${account.platform_login} (${kind})` },
          { name: t('Member'), value: `${member.name}, ${member.customer_number}` },
        ]}
      />
    </div>
  )
}

/** A refusal is said as it is. Without an answer nobody knows yet, and asking again cannot do it twice. */
export function DecisionProblem({ error }: { error: Error | null }) {
  const { t } = useTranslation()
  if (!error) return null
  const isUnheard = error instanceof ApiError && error.isOutcomeUnknown
  return (
    <div className={parts.problem}>
      <Callout meaning={isUnheard ? 'amber' : 'red'}>
        {isUnheard
          ? t(
              'We got no answer, so the decision may or may not have been saved. You can try again: a deposit is decided only once.',
            )
          : t(error.message)}
      </Callout>
    </div>
  )
}
