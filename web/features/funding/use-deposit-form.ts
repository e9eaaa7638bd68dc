import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { createDeposit } from '@atrium/contract/funding.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useNonceKeeper } from '../../api/nonce-keeper.ts'
import { call } from '../../api/transport.ts'
import { useUpload } from '../../api/use-upload.ts'
import {
  checkDraft,
  type DepositDraft,
  type DepositField,
  type DraftErrors,
  depositFields,
  emptyDraft,
  placeErrors,
  toBody,
} from './deposit-draft.ts'

import { fetchDepositToken, transactionsKey } from './use-funding.ts'

type DepositFormSettings = {
  accountId: string | null
  currency: string | null
  /** To begin with. */
  amount: string
  /** The wrong fields in the order of the page. */
  onWrong: (fields: DepositField[]) => void
  /** What the server said, field by field. */
  onRefused: (errors: FieldErrors) => void
}

/** Values, messages and the one submit of a deposit by manual transfer. */
export function useDepositForm({ accountId, currency, amount: given, onWrong, onRefused }: DepositFormSettings) {
  const queries = useQueryClient()
  const receipt = useUpload('receipt')
  const [values, setValues] = useState({ ...emptyDraft, amount: given })
  const [errors, setErrors] = useState<DraftErrors>({})
  const [refusal, setRefusal] = useState<string[]>([])
  const nonce = useNonceKeeper(fetchDepositToken)
  const isUnderWay = useRef(false)
  const draft: DepositDraft = { ...values, accountId, fileId: receipt.fileId }

  const attempt = useMutation({
    mutationFn: () => {
      const body = toBody(draft)
      return nonce.send((nonce_token, signal) => call(createDeposit, { ...body, nonce_token }, { signal }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: transactionsKey }),
    onError: (error) => {
      if (!(error instanceof ApiError)) return setRefusal([texts.requestFailed])
      const placed = placeErrors(error.fieldErrors, draft)
      const isPlaced = Object.keys(placed.errors).length > 0
      setErrors(placed.errors)
      setRefusal(isPlaced ? placed.others : [error.message, ...placed.others])
      onRefused(error.fieldErrors)
      tellWrong(placed.errors)
    },
    onSettled: () => {
      isUnderWay.current = false
    },
  })

  const tellWrong = (found: DraftErrors) => {
    const wrong = depositFields.filter((field) => found[field])
    if (wrong.length > 0) onWrong(wrong)
  }

  const change = (next: Partial<typeof emptyDraft>) => {
    setValues((before) => ({ ...before, ...next }))
    const touched = Object.keys(next).map((name) => (name === 'destinationId' ? 'destination' : name))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !touched.includes(field))))
  }

  const submit = () => {
    // State arrives with the next render; a second press in the same moment must not get through.
    if (isUnderWay.current || attempt.isSuccess) return
    setRefusal([])
    const found = checkDraft(draft, currency)
    // A receipt on its way is no gap: the button says that it is waited for.
    if (receipt.isSending) delete found.receipt
    setErrors(found)
    if (Object.keys(found).length > 0) return tellWrong(found)
    if (receipt.isSending) return
    isUnderWay.current = true
    attempt.mutate()
  }

  const { amount: _shared, ...own } = values
  const { amount: _empty, ...none } = emptyDraft
  const isTouched = JSON.stringify(values) !== JSON.stringify(emptyDraft) || receipt.picked !== null
  return {
    draft,
    errors: { ...errors, receipt: receipt.error ?? (receipt.picked ? undefined : errors.receipt) },
    refusal,
    /** No answer came: the deposit may exist, and sending it again cannot make a second one. */
    isUnknown: attempt.isError && nonce.isInDoubt(),
    receipt,
    change,
    values,
    /** Everything at once but the receipt, as it was before a session ended. */
    restore: setValues,
    mayBeDone: nonce.mayBeDone,
    clearError: (field: DepositField) => setErrors((before) => ({ ...before, [field]: undefined })),
    submit,
    isSubmitting: attempt.isPending,
    created: attempt.data?.transaction,
    isDirty: isTouched && !attempt.isSuccess,
    /** More of it is filled in than the amount, which every way to pay has. */
    isBegun: JSON.stringify(own) !== JSON.stringify(none) || receipt.picked !== null,
  }
}

export type DepositForm = ReturnType<typeof useDepositForm>
