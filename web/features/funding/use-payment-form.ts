import { type CoinPayment, coinPaymentOf } from '@atrium/contract/coin-payment.ts'
import { paymentTexts } from '@atrium/contract/payment-texts.ts'
import { startDeposit } from '@atrium/contract/payments.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useNonceKeeper } from '../../api/nonce-keeper.ts'
import { call } from '../../api/transport.ts'
import { followHandOff, type HandedOff } from './follow-hand-off.ts'
import { rememberOrder } from './last-order.ts'
import {
  checkPayment,
  draftOf,
  type PaymentDraft,
  type PaymentErrors,
  type PaymentField,
  paymentFields,
  placePaymentErrors,
  toPaymentBody,
} from './payment-draft.ts'
import { type Way, wayAmong } from './use-deposit-ways.ts'
import { fetchDepositToken, transactionsKey } from './use-funding.ts'
import type { Offer, PayerProfile } from './use-ways-to-pay.ts'

export type StartedCoins = { order: string; coins: CoinPayment }

type PaymentFormSettings = {
  accountId: string | null
  method: string
  /** To begin with. */
  amount: string
  takesCoins: boolean
  ways: readonly Way[]
  offer: Offer | null
  profile: PayerProfile
  onWrong: (fields: PaymentField[]) => void
}

/** Values, messages and the one submit of a deposit through a provider, which ends on the provider's page. */
export function usePaymentForm({ offer, profile, onWrong, ways, amount, ...given }: PaymentFormSettings) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<PaymentDraft>(() => ({ ...draftOf(profile), amount }))
  const chosen = { ...given, way: wayAmong(ways, draft.way) }
  const [errors, setErrors] = useState<PaymentErrors>({})
  const [refusal, setRefusal] = useState<string[]>([])
  const [handedOff, setHandedOff] = useState<HandedOff | null>(null)
  const [started, setStarted] = useState<StartedCoins | null>(null)
  const nonce = useNonceKeeper(fetchDepositToken)
  const isUnderWay = useRef(false)

  const tellWrong = (found: PaymentErrors) => {
    const wrong = paymentFields.filter((field) => found[field])
    if (wrong.length > 0) onWrong(wrong)
  }

  const attempt = useMutation({
    mutationFn: () => {
      const body = toPaymentBody(draft, chosen)
      return nonce.send((nonce_token, signal) => call(startDeposit, { ...body, nonce_token }, { signal }))
    },
    onSuccess: (started) => {
      queries.invalidateQueries({ queryKey: transactionsKey })
      rememberOrder(started.order)
      const coins = coinPaymentOf(started.pending_deposit?.data)
      if (coins) setStarted({ order: started.order, coins })
      else if (followHandOff(started)) setHandedOff(started)
      else setRefusal([texts.requestFailed])
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return setRefusal([texts.requestFailed])
      // What ended with a no is ended: the next press is another payment.
      if (error.code === 'payment_declined' || error.message === paymentTexts.unavailable) nonce.forget()
      const placed = placePaymentErrors(error.fieldErrors)
      setErrors(placed.errors)
      setRefusal(Object.keys(placed.errors).length > 0 ? placed.others : [error.message, ...placed.others])
      tellWrong(placed.errors)
    },
    onSettled: () => {
      isUnderWay.current = false
    },
  })

  const change = (next: Partial<PaymentDraft>) => {
    // Whoever stopped on the way to the payment page and changes the form wants another payment.
    if (handedOff) nonce.forget()
    setHandedOff(null)
    setDraft((before) => ({ ...before, ...next }))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in next))))
  }

  const submit = () => {
    // State arrives with the next render; a second press in the same moment must not get through.
    if (isUnderWay.current || started) return
    setRefusal([])
    if (handedOff && followHandOff(handedOff)) return
    const found = checkPayment(draft, { ...chosen, offer })
    setErrors(found)
    if (Object.keys(found).length > 0) return tellWrong(found)
    isUnderWay.current = true
    attempt.mutate()
  }

  return {
    draft,
    way: chosen.way,
    errors,
    refusal,
    change,
    /** Everything at once, as it was before a session ended. */
    restore: setDraft,
    mayBeDone: nonce.mayBeDone,
    clearError: (field: PaymentField) => setErrors((before) => ({ ...before, [field]: undefined })),
    submit,
    isSubmitting: attempt.isPending,
    /** No answer came: the deposit may exist, and sending it again cannot make a second one. */
    isUnknown: attempt.isError && nonce.isInDoubt(),
    /** The payment page is on its way; where it does not come, submitting leads there once more. */
    isHandedOff: handedOff !== null,
    /** Coins to be sent, once the provider has named an address. */
    started,
    isDirty: draft.amount !== '' && !handedOff && !started,
  }
}

export type PaymentForm = ReturnType<typeof usePaymentForm>
