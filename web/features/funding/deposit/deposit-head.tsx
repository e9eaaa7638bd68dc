import { formatAmount } from '@atrium/contract/money/money.ts'
import type { ReactNode } from 'react'
import { Callout } from '../../../ui/feedback/state.tsx'
import formPage from '../../../ui/forms/form-page.module.css'
import { MoneyInput } from '../../../ui/money/money-input.tsx'
import { readerLanguage } from '../../../ui/text/format.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { AccountSelect, type SelectableAccount } from '../account-select.tsx'
import { isPreset, presetAmounts } from '../preset-amounts.ts'
import parts from './deposit-form.module.css'
import type { Offer } from './use-ways-to-pay.ts'
import { rangeText } from './ways-to-pay.ts'

type DepositHeadProps = {
  accounts: SelectableAccount[]
  accountId: string | null
  amount: string
  currency: string | null
  /** Of the chosen provider; null for a bank transfer. */
  offer: Offer | null
  /** The deposit limit until the identity is approved, if it applies. */
  note: string | undefined
  errorOf: (field: 'account' | 'amount') => string | undefined
  methodError: string | undefined
  method: ReactNode
  onAccount: (id: string) => void
  onAmount: (amount: string) => void
}

/** Account, amount and payment method: the first fields of every deposit. */
export function DepositHead({
  accounts,
  accountId,
  note,
  errorOf,
  methodError,
  method,
  onAccount,
  ...rest
}: DepositHeadProps) {
  const { t } = useTranslation()
  return (
    <>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Account')}</legend>
        <AccountSelect accounts={accounts} chosen={accountId} error={errorOf('account')} onChoose={onAccount} />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Amount')}</legend>
        {note && <Callout meaning="amber">{t(note)}</Callout>}
        <AmountField {...rest} error={errorOf('amount')} />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Method')}</legend>
        {method}
        {methodError && <p className={parts.error}>{methodError}</p>}
      </fieldset>
    </>
  )
}

type AmountFieldProps = Pick<DepositHeadProps, 'amount' | 'currency' | 'offer' | 'onAmount'> & {
  error: string | undefined
}

function AmountField({ amount, currency, offer, onAmount, error }: AmountFieldProps) {
  const { t } = useTranslation()
  return (
    <div>
      <MoneyInput
        label={t('Amount')}
        description={offer && t('{{range}}. This is credited to your account.', { range: rangeText(offer) })}
        required
        value={amount}
        currency={currency}
        error={error}
        describe={(money) => (offer ? t('You deposit {{money}}', { money }) : t('You pay {{money}}', { money }))}
        onChange={onAmount}
      />
      {currency && (
        <div data-group="sm" data-nowrap data-above="md">
          {presetAmounts(currency).map((preset) => (
            <button
              key={preset}
              type="button"
              className={parts.chip}
              aria-pressed={isPreset(amount, preset, currency)}
              onClick={() => onAmount(preset)}
            >
              {formatAmount(preset, currency, readerLanguage())}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
