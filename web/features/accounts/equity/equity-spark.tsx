import { signedAmount } from '../../../ui/text/format.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from '../account-parts.module.css'
import { sparkPath } from './spark.ts'
import { useRecentEquity } from './use-recent-equity.ts'

const size = { width: 80, height: 28 }

/** The account's equity over the last week; empty without data. */
export function EquitySpark({ account }: { account: { _id: string; currency: string } }) {
  const { t } = useTranslation()
  const { data } = useRecentEquity()
  const points = data?.accounts.find(({ _id }) => _id === account._id)?.points ?? []
  const path = data && sparkPath(points, { ...size, from: data.from, to: data.to })
  const [first, last] = [points[0], points.at(-1)]
  if (!path || !first || !last) return null
  const inWords = (amount: string) => `${signedAmount(amount, account.currency, 'negative')} ${account.currency}`
  const range = { first: inWords(first.equity), last: inWords(last.equity) }
  const label = t('Equity over the last week: from {{first}} to {{last}}', range)
  return (
    <svg className={parts.spark} role="img" aria-label={label} viewBox={`0 0 ${size.width} ${size.height}`} {...size}>
      <title>{label}</title>
      <path d={path} />
    </svg>
  )
}
