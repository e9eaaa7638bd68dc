import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { deleteTransaction } from '@atrium/contract/withdrawals/calls.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { ApiError, isNotSent } from '../../../api/api-error.ts'
import { call } from '../../../api/transport.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { transactionsKey } from '../transactions-key.ts'

/** Cancels one transaction. `onCancelled` closes its details: it is not called once those of another one are shown. */
export function useCancelling(onCancelled: () => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const isShown = useRef(false)
  useLayoutEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const { mutate, error, isPending } = useMutation({
    mutationFn: (id: string) => call(deleteTransaction, { id }),
    onSuccess: () => {
      toast.done(t(texts.transactionDeleted), limits.toastShortMs)
      // Not by `mutate`: the list is read again before its callback, and the button is gone by then.
      if (isShown.current) onCancelled()
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
  return { cancel: mutate, error, isPending }
}

function reasonsOf(error: Error): string[] {
  const named = error instanceof ApiError ? Object.values(error.fieldErrors).flat() : []
  return named.length > 0 ? named : [error.message]
}
