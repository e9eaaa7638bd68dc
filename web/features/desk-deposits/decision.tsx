import { formatAmount } from '@atrium/contract/money/money.ts'
import type { Errors } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Facts } from '../../ui/layout/facts.tsx'
import { readerLanguage } from '../../ui/text/format.ts'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './decision-dialogs.module.css'
import { type Decision, type DeskDeposit, isDecidedElsewhere, useDecide } from './use-desk-deposits.ts'

export type DecisionDialogProps = {
  deposit: DeskDeposit
  isOpen: boolean
  onClose: () => void
  /** Called when the dialog's closing transition has ended. */
  onGone: () => void
  onDecided: () => void
  /** Called when a colleague decided first. */
  onOvertaken: () => void
}
export const isFirstOfTwo = ({ approvals, approvals_needed }: DeskDeposit): boolean => approvals + 1 < approvals_needed

export const amountOf = ({ amount, currency }: DeskDeposit): string =>
  `${formatAmount(amount, currency, readerLanguage())} ${currency}`

type Asked<Values extends object> = Pick<DecisionDialogProps, 'deposit' | 'onDecided' | 'onOvertaken'> & {
  start: Values
  labels: Record<keyof Values & string, string>
  check?: (values: Values) => Errors<keyof Values & string>
  decisionOf: (values: Values) => Decision
  /** The notification after the decision. */
  doneAs: (now: DeskDeposit) => string
}

/** One decision about one deposit, sent once. An earlier decision by a colleague closes the dialog; the page shows it. */
export function useDecisionForm<Values extends object>(asked: Asked<Values>) {
  const { t } = useTranslation()
  const { deposit, onDecided, onOvertaken, start, labels, check, decisionOf, doneAs } = asked
  const attempt = useDecide()
  return useCallForm<Values, keyof Values & string, DeskDeposit>({
    start,
    labels,
    ...(check && { check }),
    key: 'own',
    send: (values, { key }) => attempt.mutateAsync({ id: deposit._id, decision: decisionOf(values), key }),
    onDone: (now) => {
      const { ticket, account } = deposit
      toast.done(t(doneAs(now), { ticket, amount: amountOf(deposit), login: account.platform_login }))
      onDecided()
    },
    onRefused: (error) => isDecidedElsewhere(error) && onOvertaken(),
  })
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
            value: amountOf(deposit),
          },
          { name: t('Account'), value: `${platformName(account.platform_type)} ${account.platform_login} (${kind})` },
          { name: t('Member'), value: `${member.name}, ${member.customer_number}` },
        ]}
      />
    </div>
  )
}
