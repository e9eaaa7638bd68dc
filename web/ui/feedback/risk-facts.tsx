import type { Fact } from '../layout/facts.tsx'
import { Amount } from '../money/amount.tsx'
import { Ago, Moment } from '../text/moment.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { StatusPill } from './status-pill.tsx'

type Risk = {
  balance: string | null
  balance_at: number | null
  earlier: number
  beneficiary: { since: number; paid_before: number } | null
} | null

const countedMax = 100

/** Facts beside a decision about money: the balance, whether it is the first, the age of the beneficiary. */
export function useRiskFacts(
  risk: Risk,
  { currency, type }: { currency: string; type: 'deposit' | 'withdrawal' },
): Fact[] {
  const { t } = useTranslation()
  if (risk === null) return []
  const { balance, balance_at, earlier, beneficiary } = risk
  const shown = earlier >= countedMax ? `${countedMax}+` : earlier
  const isDeposit = type === 'deposit'
  return [
    {
      name: t('Account balance'),
      value: balance !== null && (
        <>
          <Amount amount={balance} currency={currency} /> {balance_at !== null && <Ago at={balance_at} />}
        </>
      ),
    },
    {
      name: isDeposit ? t('Earlier deposits') : t('Earlier withdrawals'),
      value:
        earlier === 0 ? (
          <StatusPill meaning="amber" label={isDeposit ? t('First deposit') : t('First withdrawal')} />
        ) : (
          t('{{shown}} completed', { shown })
        ),
    },
    {
      name: t('Beneficiary'),
      value: beneficiary && (
        <>
          {beneficiary.paid_before === 0 ? (
            <StatusPill meaning="amber" label={t('New beneficiary')} />
          ) : (
            t('Paid before')
          )}{' '}
          {t('saved')} <Moment at={beneficiary.since} />
        </>
      ),
    },
  ].filter(({ value }) => value !== false)
}
