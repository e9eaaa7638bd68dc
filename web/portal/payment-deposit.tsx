import { texts } from '@atrium/contract/texts.ts'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '../features/accounts/use-accounts.ts'
import { CoinPaymentDialog } from '../features/funding/coin-payment.tsx'
import type { PaymentField } from '../features/funding/payment-draft.ts'
import { PaymentFields } from '../features/funding/payment-fields.tsx'
import { PaymentSummary } from '../features/funding/payment-summary.tsx'
import { Refusal } from '../features/funding/refusal.tsx'
import { useDepositWays } from '../features/funding/use-deposit-ways.ts'
import { usePaymentForm } from '../features/funding/use-payment-form.ts'
import { offerIn, type PayerProfile, type Provider } from '../features/funding/use-ways-to-pay.ts'
import formPage from '../ui/form-page.module.css'
import { Callout } from '../ui/state.tsx'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import { useWrongFields } from '../ui/use-wrong-fields.ts'
import { selectable } from './selectable-account.ts'
import { useHasPendingDeposits } from './use-has-pending-deposits.ts'

const fieldLabels: Record<PaymentField, string> = {
  account: 'Trading account',
  method: 'Method',
  coin: 'Coin',
  way: 'Pay with',
  amount: 'Amount',
  country: 'Country',
  city: 'City',
  address_line_1: 'Street and number',
  phone: 'Phone',
  email: 'Email',
}

type PaymentDepositProps = { accounts: Account[]; provider: Provider; profile: PayerProfile; method: ReactNode }

/** A deposit that is paid on a provider's page. */
export function PaymentDeposit({ accounts, provider, profile, method }: PaymentDepositProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { accountId } = useParams({ strict: false }) as { accountId?: string }
  const account = accounts.find(({ _id, live_account }) => _id === accountId && live_account) ?? null
  const fields = useRef(new Map<PaymentField, HTMLElement>())
  const { tell } = useWrongFields()
  const isListed = useHasPendingDeposits()
  const offer = offerIn(provider, account?.currency ?? null)
  const ways = useDepositWays(provider.app_uid, account?.currency ?? null)
  const form = usePaymentForm({
    accountId: account?._id ?? null,
    method: provider.app_uid,
    takesCoins: provider.takes_coins,
    ways,
    offer,
    profile,
    onWrong: (wrong) => {
      tell(wrong.map((field) => t(fieldLabels[field])))
      fields.current.get(wrong[0] ?? 'account')?.focus()
    },
  })
  useUnsavedGuard({ isDirty: form.isDirty, staysAt: (path) => /^\/funds\/deposit(\/|$)/.test(path) })

  const chooseAccount = (id: string) => {
    const next = accounts.find(({ _id }) => _id === id)
    form.clearError('account')
    navigate({
      to: next?.live_account === false ? '/funds/deposit-demo/{-$accountId}' : '/funds/deposit/{-$accountId}',
      params: { accountId: id } as never,
      replace: true,
      resetScroll: false,
    })
  }
  /** To where the payment can be watched. */
  const leave = () => {
    if (isListed) navigate({ to: '/funds/transactions', search: { view: 'pending' } as never, replace: true })
    else
      navigate({ to: '/deposit-processing/{-$order}', params: { order: form.started?.order } as never, replace: true })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }

  return (
    <form className={formPage.layout} onSubmit={submit} noValidate aria-label={t('Deposit')}>
      <div className={formPage.steps}>
        {accountId !== undefined && account === null && <Callout meaning="amber">{t(texts.accountUnknown)}</Callout>}
        <PaymentFields
          form={form}
          accounts={accounts.map((one) => selectable(one, t))}
          chosenAccount={account?._id ?? null}
          currency={account?.currency ?? null}
          method={method}
          ways={ways}
          coinsOf={provider.takes_coins ? provider.app_uid : null}
          onAccount={chooseAccount}
          fieldRef={(field) => (element) => {
            if (element) fields.current.set(field, element)
            else fields.current.delete(field)
          }}
        />
      </div>
      <PaymentSummary
        amount={form.draft.amount}
        offer={offer}
        provider={provider.name}
        account={account && `#${account.platform_login}`}
        isSubmitting={form.isSubmitting}
        refusal={
          form.isHandedOff ? (
            <Callout meaning="blue">
              {t('Taking you to {{provider}}. If the page does not open, press the button again.', {
                provider: provider.name,
              })}
            </Callout>
          ) : (
            <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
          )
        }
      />
      <CoinPaymentDialog coins={form.started?.coins} onClose={leave} />
    </form>
  )
}
