import { newerApprovals } from '@atrium/contract/money/decisions.ts'
import { formatAmount } from '@atrium/contract/money/money.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { Errors } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useOpened } from '../../forms/use-opened.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { readerLanguage } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Decision, type DeskDeposit, depositQuery, isConflicting, useDecide } from './use-desk-deposits.ts'

export type DecisionDialogProps = {
  /** The deposit as it was when the dialog opened. */
  deposit: DeskDeposit
  isOpen: boolean
  onClose: () => void
  /** Called when the dialog's closing transition has ended. */
  onGone: () => void
  onDecided: () => void
  /** Called when a colleague decided first. */
  onOvertaken: () => void
}

export const amountOf = ({ amount, currency }: DeskDeposit): string =>
  `${formatAmount(amount, currency, readerLanguage())} ${currency}`

type Asked<Values extends object> = Pick<DecisionDialogProps, 'deposit' | 'onDecided' | 'onOvertaken'> & {
  start: Values
  labels: Record<keyof Values & string, string>
  check?: (values: Values) => Errors<keyof Values & string>
  decisionOf: (values: Values, deposit: DeskDeposit) => Decision
  /** The notification after the decision. */
  doneAs: (now: DeskDeposit) => string
}

/**
 * One decision about one deposit, sent once. An earlier decision by a colleague closes the dialog; the page shows it. After a
 * refusal that tells of newer approvals the dialog shows and sends those, and every other refusal stays with its reason.
 */
export function useDecisionForm<Values extends object>(asked: Asked<Values>) {
  const { t } = useTranslation()
  const { onDecided, onOvertaken, start, labels, check, decisionOf, doneAs } = asked
  const { _id: id } = asked.deposit
  const queries = useQueryClient()
  const newest = () => queries.getQueryData(depositQuery(id).queryKey)
  const { opened: deposit, takeNewer } = useOpened({ row: asked.deposit, newest, refusals: newerApprovals })
  const attempt = useDecide()
  const form = useCallForm<Values, keyof Values & string, DeskDeposit>({
    start,
    labels,
    ...(check && { check }),
    key: 'own',
    send: (values, { key }) => attempt.mutateAsync({ id, decision: decisionOf(values, deposit), key }),
    onDone: (now) => {
      const { ticket, account } = deposit
      toast.done(t(doneAs(now), { ticket, amount: amountOf(deposit), login: account.platform_login }))
      onDecided()
    },
    onRefused: (error) => {
      takeNewer(error)
      // Other conflicts have a reason of their own, such as a closed account.
      if (isConflicting(error) && newest()?.state !== 'pending') onOvertaken()
    },
  })
  return { form, deposit }
}
