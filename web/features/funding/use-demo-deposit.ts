import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { createDeposit } from '@atrium/contract/funding.ts'
import { texts } from '@atrium/contract/texts.ts'
import { readTradingConfiguration } from '@atrium/contract/workspace.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useNonceKeeper } from '../../api/nonce-keeper.ts'
import { call } from '../../api/transport.ts'
import {
  checkDemoDraft,
  type DemoDepositField,
  type DemoDraftErrors,
  demoDepositFields,
  placeDemoErrors,
  toDemoBody,
} from './demo-deposit-draft.ts'
import { fetchDepositToken, transactionsKey } from './use-funding.ts'

type Settings = {
  accountId: string | null
  currency: string | null
  /** The wrong fields in the order of the page. */
  onWrong: (fields: DemoDepositField[]) => void
  /** What the server said, field by field. */
  onRefused: (errors: FieldErrors) => void
}

const untouched = { amount: '', comment: '' }

/** Values, messages and the one submit of practice money. */
export function useDemoDeposit({ accountId, currency, onWrong, onRefused }: Settings) {
  const queries = useQueryClient()
  const [values, setValues] = useState(untouched)
  const [errors, setErrors] = useState<DemoDraftErrors>({})
  const [refusal, setRefusal] = useState<string[]>([])
  const nonce = useNonceKeeper(fetchDepositToken)
  const isUnderWay = useRef(false)
  const draft = { accountId, ...values }

  const show = (found: DemoDraftErrors, said: string[]) => {
    setErrors(found)
    setRefusal(said)
    const wrong = demoDepositFields.filter((field) => found[field])
    if (wrong.length > 0) onWrong(wrong)
  }
  const attempt = useMutation({
    mutationFn: () => {
      const body = toDemoBody(draft)
      return nonce.send((nonce_token, signal) => call(createDeposit, { ...body, nonce_token }, { signal }))
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: transactionsKey }),
    onError: (error) => {
      if (!(error instanceof ApiError)) return setRefusal([texts.requestFailed])
      const placed = placeDemoErrors(error.fieldErrors)
      const isPlaced = Object.keys(placed.errors).length > 0
      onRefused(error.fieldErrors)
      show(placed.errors, isPlaced ? placed.others : [error.message, ...placed.others])
    },
    onSettled: () => {
      isUnderWay.current = false
    },
  })

  const submit = () => {
    // State arrives with the next render; a second press in the same moment must not get through.
    if (isUnderWay.current || attempt.isSuccess) return
    const found = checkDemoDraft(draft, currency)
    show(found, [])
    if (Object.keys(found).length > 0) return
    isUnderWay.current = true
    attempt.mutate()
  }
  const change = (next: Partial<typeof untouched>) => {
    setValues((before) => ({ ...before, ...next }))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in next))))
  }
  return {
    values,
    errors,
    refusal,
    change,
    mayBeDone: nonce.mayBeDone,
    clearError: (field: DemoDepositField) => setErrors((before) => ({ ...before, [field]: undefined })),
    submit,
    /** No answer came: the deposit may exist, and sending it again cannot make a second one. */
    isUnknown: attempt.isError && nonce.isInDoubt(),
    isSubmitting: attempt.isPending,
    created: attempt.data?.transaction,
    isDirty: values.amount + values.comment !== '' && !attempt.isSuccess,
  }
}

export type DemoDeposit = ReturnType<typeof useDemoDeposit>

/** How much a day allows, in whole units; undefined until that is known. */
export function useDemoDaily(): string | undefined {
  const { data } = useQuery({
    queryKey: ['demo-deposit-daily'],
    queryFn: async () => (await call(readTradingConfiguration, {})).config.demo_deposit_daily,
    staleTime: 60_000,
  })
  return data
}
