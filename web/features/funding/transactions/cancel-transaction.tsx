import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { isNotSent } from '../../../api/api-error.ts'
import { useConfirm } from '../../../ui/feedback/confirm.tsx'
import { Callout } from '../../../ui/feedback/state.tsx'
import { dangerousButton } from '../../../ui/forms/dangerous-button.ts'
import { typeLabel } from '../../../ui/money/transaction-type.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import type { Transaction } from '../use-funding.ts'
import { useCancelling } from './use-cancelling.ts'

type CancelTransactionProps = { transaction: Transaction; onCancelled: () => void }

/** Only the member's own, undecided requests can be cancelled, and no paid deposit. The server checks again. */
export const isCancellable = ({
  source,
  state,
  timeline,
}: Pick<Transaction, 'source' | 'state' | 'timeline'>): boolean =>
  source === 'client' && state === 'pending' && !timeline.some(({ event }) => event === 'deposit.paid-at-provider')

export function CancelTransaction({ transaction, onCancelled }: CancelTransactionProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { cancel, error, isPending } = useCancelling(onCancelled)
  const type = t(typeLabel(transaction.type)).toLowerCase()
  const action = t('Cancel {{type}}', { type })
  const ask = async () => {
    const title = t('Cancel {{type}} {{ticket}}', { type, ticket: transaction.ticket })
    const question = { title, body: t(texts.transactionCancelConfirm), action, stay: t('Keep it'), isDangerous: true }
    if (await confirm(question)) cancel(transaction._id)
  }
  return (
    <>
      {isNotSent(error) && <Callout meaning="red">{t(error.message)}</Callout>}
      <Button variant="default" {...dangerousButton} loading={isPending} onClick={ask}>
        {action}
      </Button>
    </>
  )
}
