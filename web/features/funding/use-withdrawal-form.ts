import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { getUniqueToken } from '@atrium/contract/sessions.ts'
import { texts } from '@atrium/contract/texts.ts'
import { createWithdrawal } from '@atrium/contract/withdrawals.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useNonceKeeper } from '../../api/nonce-keeper.ts'
import { call } from '../../api/transport.ts'
import { transactionsKey } from './use-funding.ts'
import { preflightKey } from './use-preflight.ts'
import {
  checkWithdrawal,
  emptyWithdrawal,
  placeWithdrawalErrors,
  toWithdrawalBody,
  type WithdrawalAccount,
  type WithdrawalDraft,
  type WithdrawalErrors,
  type WithdrawalField,
  withChange,
  withdrawalFields,
  withoutDestination,
} from './withdrawal-draft.ts'

type Settings = {
  account: WithdrawalAccount | null
  /** The wrong fields in the order of the page. */
  onWrong: (fields: WithdrawalField[]) => void
  onRefused: (errors: FieldErrors) => void
}

const fetchToken = async () => (await call(getUniqueToken, { token_key: 'transaction_withdrawal' })).token

/** Values, messages and the one submit of a withdrawal. A proof that is asked for on the way is the transport's matter. */
export function useWithdrawalForm({ account, onWrong, onRefused }: Settings) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(emptyWithdrawal)
  const [errors, setErrors] = useState<WithdrawalErrors>({})
  const [refusal, setRefusal] = useState<string[]>([])
  const nonce = useNonceKeeper(fetchToken)
  const isUnderWay = useRef(false)

  const attempt = useMutation({
    mutationFn: () => {
      const body = toWithdrawalBody(draft, account)
      return nonce.send((nonce_token, signal) => call(createWithdrawal, { ...body, nonce_token }, { signal }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: transactionsKey }),
    onError: (error) => {
      if (!(error instanceof ApiError)) return setRefusal([texts.requestFailed])
      const placed = placeWithdrawalErrors(error.fieldErrors)
      const isPlaced = Object.keys(placed.errors).length > 0
      setErrors(placed.errors)
      setRefusal([...new Set(isPlaced ? placed.others : [error.message, ...placed.others])])
      onRefused(error.fieldErrors)
      tellWrong(placed.errors)
    },
    onSettled: () => {
      isUnderWay.current = false
      queries.invalidateQueries({ queryKey: preflightKey })
    },
  })

  const tellWrong = (found: WithdrawalErrors) => {
    const wrong = withdrawalFields.filter((field) => found[field])
    if (wrong.length > 0) onWrong(wrong)
  }

  const change = (next: Partial<WithdrawalDraft>) => {
    setDraft((before) => withChange(before, next))
    const touched = [...Object.keys(next), ...(next.destination === undefined ? [] : ['destinationId', 'coin'])]
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !touched.includes(field))))
  }

  const submit = () => {
    // State arrives with the next render; a second press in the same moment must not get through.
    if (isUnderWay.current || attempt.isSuccess) return
    setRefusal([])
    const found = checkWithdrawal(draft, account)
    setErrors(found)
    if (Object.keys(found).length > 0) return tellWrong(found)
    isUnderWay.current = true
    attempt.mutate()
  }

  return {
    draft,
    errors,
    refusal,
    /** No answer came: the withdrawal may exist, and sending it again cannot make a second one. */
    isUnknown: attempt.isError && nonce.isInDoubt(),
    change,
    /** Everything at once, as it was before a session ended. */
    restore: setDraft,
    mayBeDone: nonce.mayBeDone,
    clearDestination: () => {
      setDraft(withoutDestination)
      setErrors({})
    },
    submit,
    isSubmitting: attempt.isPending,
    created: attempt.data?.transaction,
    isDirty: JSON.stringify(draft) !== JSON.stringify(emptyWithdrawal) && !attempt.isSuccess,
  }
}

export type WithdrawalForm = ReturnType<typeof useWithdrawalForm>
