import { readAmount } from '@atrium/contract/money/money.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import formPage from '../../../ui/forms/form-page.module.css'
import { Facts } from '../../../ui/layout/facts.tsx'
import { Amount } from '../../../ui/money/amount.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'

type SummaryProps = {
  amount: string
  currency: string | null
  account: string | null
  isSubmitting: boolean
  isWaitingForReceipt: boolean
  /** The error of a refused submission, shown beside the button. */
  refusal?: ReactNode
}

/** Amount to pay, fee, amount received and time, visible while the form is filled in. */
export function DepositSummary({
  amount,
  currency,
  account,
  isSubmitting,
  isWaitingForReceipt,
  refusal,
}: SummaryProps) {
  const { t } = useTranslation()
  const read = currency ? readAmount(amount, currency) : { problem: 'missing' }
  const received = currency && 'amount' in read ? <Amount amount={read.amount} currency={currency} /> : '\u2013'
  return (
    <aside className={formPage.summary} aria-label={t('Summary')}>
      <div>
        <p className={formPage.summaryTitle}>{t('You pay')}</p>
        {currency && 'amount' in read ? (
          <Amount amount={read.amount} currency={currency} size="large" />
        ) : (
          <Amount amount={currency ? '0' : null} currency={currency ?? ''} size="large" />
        )}
      </div>
      <div className={formPage.summaryFacts}>
        <Facts
          facts={[
            { name: t('Our fee'), value: t('None') },
            { name: t('You receive'), value: received },
            { name: t('Account'), value: account ?? '\u2013' },
            { name: t('When'), value: t('After we review your receipt') },
          ]}
        />
      </div>
      {refusal}
      <Button type="submit" size="md" loading={isSubmitting}>
        {isWaitingForReceipt ? t('Uploading the receipt\u2026') : t('CREATE DEPOSIT')}
      </Button>
    </aside>
  )
}
