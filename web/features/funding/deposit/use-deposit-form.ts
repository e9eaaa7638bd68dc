import { createDeposit } from '@atrium/contract/deposits/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'
import { useCallForm } from '../../../forms/use-call-form.ts'
import { useUpload } from '../../../forms/use-upload.ts'
import { transactionsKey } from '../transactions-key.ts'
import { checkDraft, depositFieldFor, depositLabels, emptyDraft, toBody } from './deposit-draft.ts'

type DepositFormSettings = {
  accountId: string | null
  currency: string | null
  /** The initial value. */
  amount: string
}

/** The form of a deposit by manual transfer. */
export function useDepositForm({ accountId, currency, amount: given }: DepositFormSettings) {
  const queries = useQueryClient()
  const receipt = useUpload('receipt')
  const draftOf = (values: typeof emptyDraft) => ({ ...values, accountId, fileId: receipt.fileId })
  const form = useCallForm({
    start: { ...emptyDraft, amount: given },
    labels: depositLabels,
    fieldFor: depositFieldFor,
    check: (values) => {
      const { receipt: missing, ...found } = checkDraft(draftOf(values), currency)
      // A receipt that is still uploading is no error: the button says that it waits for it.
      return missing && !receipt.isSending ? { ...found, receipt: missing } : found
    },
    isWaiting: receipt.isSending,
    key: 'transaction_deposit',
    send: (values, { key, ...options }) =>
      call(createDeposit, { ...toBody(draftOf(values)), nonce_token: key }, options),
    onDone: () => queries.invalidateQueries({ queryKey: transactionsKey }),
    besides: 'toasts',
  })
  const { amount: _shared, ...own } = form.values
  const { amount: _empty, ...none } = emptyDraft
  const isPicked = receipt.picked !== null
  return {
    ...form,
    receipt,
    receiptError: receipt.error ?? (isPicked ? undefined : form.errorOf('receipt')),
    isDirty: form.isDirty || (isPicked && !form.answer),
    /** True when a field other than the amount is filled in; every payment method has the amount. */
    isBegun: JSON.stringify(own) !== JSON.stringify(none) || isPicked,
  }
}

export type DepositForm = ReturnType<typeof useDepositForm>
