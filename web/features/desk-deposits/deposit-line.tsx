import { Tag } from '../../ui/feedback/status-pill.tsx'
import { TransactionLine } from '../../ui/money/transaction-line.tsx'
import { transactionStateLabels } from '../../ui/money/transaction-states.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { isWithProvider } from './deposit-labels.ts'
import type { DeskRow } from './use-desk-deposits.ts'

/** `isStateShown`: true in the All tab, where states differ; the other tabs name the state. */
export function DepositLine({ row, isStateShown }: { row: DeskRow; isStateShown: boolean }) {
  const { t } = useTranslation()
  const isPending = row.state === 'pending'
  return (
    <TransactionLine
      row={row}
      state={isStateShown ? transactionStateLabels[row.state] : null}
      isIdentityShown={isPending}
    >
      {isPending && isWithProvider(row.payment_state) && <Tag label={t('Awaiting payment')} />}
    </TransactionLine>
  )
}
