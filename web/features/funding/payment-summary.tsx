import { addAmounts, readAmount } from '@atrium/contract/money/money.ts'
import { isFree, paymentFee } from '@atrium/contract/payments/fee.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import formPage from '../../ui/forms/form-page.module.css'
import { Facts } from '../../ui/layout/facts.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Offer } from './deposit/use-ways-to-pay.ts'

type PaymentSummaryProps = {
  amount: string
  offer: Offer | null
  provider: string
  takesCoins: boolean
  account: string | null
  isSubmitting: boolean
  refusal?: ReactNode
}

/** Amount to pay, fee, amount received and time, visible while the form is filled in. */
export function PaymentSummary({
  amount,
  offer,
  provider,
  takesCoins,
  account,
  isSubmitting,
  refusal,
}: PaymentSummaryProps) {
  const { t } = useTranslation()
  const read = offer ? readAmount(amount, offer.currency) : null
  const known = read && 'amount' in read && offer ? { amount: read.amount, currency: offer.currency } : null
  const fee = known && offer ? paymentFee(known.amount, offer) : null
  return (
    <aside className={formPage.summary} aria-label={t('Summary')}>
      <div>
        <p className={formPage.summaryTitle}>{t('You pay')}</p>
        <Amount
          amount={known && fee ? addAmounts(known.amount, fee) : offer ? '0' : null}
          currency={offer?.currency ?? ''}
          size="large"
        />
      </div>
      <div className={formPage.summaryFacts}>
        <Facts
          facts={[
            {
              name: t('Our fee'),
              value:
                offer && isFree(offer) ? (
                  t('None')
                ) : known && fee ? (
                  <Amount amount={fee} currency={known.currency} />
                ) : (
                  '\u2013'
                ),
            },
            { name: t('You receive'), value: known ? <Amount {...known} /> : '\u2013' },
            { name: t('Account'), value: account ?? '\u2013' },
            {
              name: t('When'),
              value: takesCoins ? t('After the network confirms it') : t('Within minutes of the payment'),
            },
          ]}
        />
      </div>
      {refusal}
      <Button type="submit" size="md" loading={isSubmitting}>
        {t('Pay with {{provider}}', { provider })}
      </Button>
    </aside>
  )
}
