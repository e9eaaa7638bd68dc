import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { deleteTransaction } from '@atrium/contract/withdrawals/calls.ts'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, isNotSent } from '../../../api/api-error.ts'
import { call } from '../../../api/transport.ts'
import { useConfirm } from '../../../ui/feedback/confirm.tsx'
import { Callout } from '../../../ui/feedback/state.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { dangerousButton } from '../../../ui/forms/dangerous-button.ts'
import { typeLabel } from '../../../ui/money/transaction-type.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { transactionsKey } from '../transactions-key.ts'
import type { Transaction } from '../use-funding.ts'

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
  const cancelling = useCancelling(onCancelled)
  const type = t(typeLabel(transaction.type)).toLowerCase()
  const action = t('Cancel {{type}}', { type })
  const ask = async () => {
    const title = t('Cancel {{type}} {{ticket}}', { type, ticket: transaction.ticket })
    const question = { title, body: t(texts.transactionCancelConfirm), action, stay: t('Keep it'), isDangerous: true }
    if (await confirm(question)) cancelling.mutate(transaction._id)
  }
  return (
    <>
      {isNotSent(cancelling.error) && <Callout meaning="red">{t(cancelling.error.message)}</Callout>}
      <Button variant="default" {...dangerousButton} loading={cancelling.isPending} onClick={ask}>
        {action}
      </Button>
    </>
  )
}

function useCancelling(onCancelled: () => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteTransaction, { id }),
    onSuccess: () => {
      toast.done(t(texts.transactionDeleted), limits.toastShortMs)
      onCancelled()
    },
    onError: (error) => {
      // The error is shown beside the button.
      if (isNotSent(error)) return
      const reasons = reasonsOf(error).map((reason) => t(reason))
      toast.warning(reasons.join(', '), limits.toastMs)
    },
    // It may have been decided meanwhile: the list shows the outcome.
    onSettled: () => queries.invalidateQueries({ queryKey: transactionsKey }),
  })
}

function reasonsOf(error: Error): string[] {
  const named = error instanceof ApiError ? Object.values(error.fieldErrors).flat() : []
  return named.length > 0 ? named : [error.message]
}
