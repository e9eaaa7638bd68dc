import { type CoinPayment, coinPaymentOf } from '@atrium/contract/payments/coin-payment.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/transport.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { followRedirect, type Redirect } from './deposit/follow-redirect.ts'
import { rememberOrder } from './deposit/last-order.ts'
import { availableWay, type Way } from './deposit/use-deposit-ways.ts'
import type { Offer, PayerProfile } from './deposit/use-ways-to-pay.ts'
import { draftOf, type PaymentDraft, paymentFieldFor, paymentLabels, toPaymentBody } from './payment-draft.ts'
import type { PaymentRules } from './payment-rules.ts'
import { transactionsKey } from './transactions-key.ts'

export type StartedCoins = { order: string; coins: CoinPayment }

/** A payment page whose redirect has started, with the choices that it was started for. */
type StartedRedirect = { to: Redirect; accountId: string | null; method: string }

type PaymentFormSettings = {
  accountId: string | null
  method: string
  /** The initial value. */
  amount: string
  takesCoins: boolean
  ways: readonly Way[]
  offer: Offer | null
  profile: PayerProfile
  /** Undefined until they have loaded: until then nothing is sent. */
  rules: PaymentRules | undefined
}

/** The form of a deposit through a provider; it ends with a redirect to the provider's page. */
export function usePaymentForm({ offer, profile, ways, amount, rules, ...given }: PaymentFormSettings) {
  const queries = useQueryClient()
  const [redirect, setRedirect] = useState<StartedRedirect | null>(null)
  const [started, setStarted] = useState<StartedCoins | null>(null)
  const [isLost, setLost] = useState(false)
  const chosenIn = ({ way }: PaymentDraft) => ({ ...given, way: availableWay(ways, way) })
  const form = useCallForm({
    start: { ...draftOf(profile), amount },
    labels: paymentLabels,
    fieldFor: paymentFieldFor,
    check: (draft) => rules?.checkPayment(draft, { ...chosenIn(draft), offer }) ?? {},
    isWaiting: !rules,
    key: 'transaction_deposit',
    async send(draft, { key, ...options }) {
      if (!rules) throw new Error('The rules of the payment are not loaded')
      return call(rules.startDeposit, { ...toPaymentBody(draft, chosenIn(draft)), nonce_token: key }, options)
    },
    onDone: (answer) => {
      queries.invalidateQueries({ queryKey: transactionsKey })
      rememberOrder(answer.order)
      const coins = coinPaymentOf(answer.pending_deposit?.data)
      if (coins) setStarted({ order: answer.order, coins })
      else if (followRedirect(answer)) setRedirect({ to: answer, accountId: given.accountId, method: given.method })
      else setLost(true)
    },
    // A declined payment is final: the next submission is another payment.
    endsKey: (error) => error.code === 'payment_declined' || error.message === paymentTexts.unavailable,
    afterDone: 'same',
  })
  // Another account or payment method is another payment: it never leads to the page of the one before.
  const isStill = redirect?.accountId === given.accountId && redirect.method === given.method
  const current = isStill ? redirect : null
  /** The next submission is a payment of its own. */
  const forgetRedirect = () => {
    if (redirect) form.forgetKey()
    setRedirect(null)
  }

  return {
    ...form,
    way: chosenIn(form.values).way,
    refusal: isLost ? [texts.requestFailed] : form.refusal,
    change(next: Partial<PaymentDraft>) {
      forgetRedirect()
      form.change(next)
    },
    submit() {
      setLost(false)
      if (started || (current && followRedirect(current.to))) return
      if (!current) forgetRedirect()
      form.submit()
    },
    /** The redirect to the payment page has started; if it fails, submitting repeats it. */
    isRedirected: current !== null,
    /** A coin payment whose address the provider has assigned. */
    started,
    isDirty: form.isDirty && !current && !started,
  }
}

export type PaymentForm = ReturnType<typeof usePaymentForm>
