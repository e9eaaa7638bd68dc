import { createWithdrawal } from '@atrium/contract/withdrawals/calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/transport.ts'
import { useCallForm } from '../../../forms/use-call-form.ts'
import { transactionsKey } from '../transactions-key.ts'
import { withdrawalQuoteKey } from './use-withdrawal-quote.ts'
import {
  checkWithdrawal,
  emptyWithdrawal,
  toWithdrawalBody,
  type WithdrawalAccount,
  withChange,
  withdrawalFieldFor,
  withdrawalLabels,
  withoutBeneficiary,
} from './withdrawal-draft.ts'

/** The withdrawal form. The transport handles a step-up that the server demands. */
export function useWithdrawalForm(account: WithdrawalAccount | null) {
  const queries = useQueryClient()
  const form = useCallForm({
    start: emptyWithdrawal,
    labels: withdrawalLabels,
    fieldFor: withdrawalFieldFor,
    fieldsOf: { destination: ['destination', 'beneficiaryId', 'coin'] },
    withChange,
    check: (draft) => checkWithdrawal(draft, account),
    key: 'transaction_withdrawal',
    send: (draft, { key, ...options }) =>
      call(createWithdrawal, { ...toWithdrawalBody(draft, account), nonce_token: key }, options),
    onDone: () => queries.invalidateQueries({ queryKey: transactionsKey }),
    onSettled: () => void queries.invalidateQueries({ queryKey: withdrawalQuoteKey }),
    besides: 'toasts',
  })
  return {
    ...form,
    clearBeneficiary() {
      form.restore(withoutBeneficiary)
      form.clearErrors()
    },
  }
}

export type WithdrawalForm = ReturnType<typeof useWithdrawalForm>
