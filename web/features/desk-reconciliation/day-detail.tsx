import type { DaySum, ReconciliationDay } from '@atrium/contract/reconciliation/desk-calls.ts'
import type { daysList } from '@atrium/contract/reconciliation/desk-list.ts'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import type { ListSearch } from '../../ui/lists/list-address.ts'
import { Amount } from '../../ui/money/amount.tsx'
import { calendarDay } from '../../ui/text/format.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { PlatformProblem } from '../../ui/text/platform-problem.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CompareButton } from './compare-button.tsx'
import { DayState } from './day-row.tsx'
import { MismatchRow } from './mismatch-row.tsx'
import parts from './reconciliation.module.css'
import { methodLabels } from './reconciliation-labels.ts'
import { agrees } from './reconciliation-sums.ts'
import { dayQuery } from './use-reconciliation.ts'

type DayDetailProps = { day: string; search: ListSearch<typeof daysList>; mayDecide: boolean }

/** One day: first the mismatches, then all sums side by side, then the progress of each platform. */
export function DayDetail({ day, search, mayDecide }: DayDetailProps) {
  const { t } = useTranslation()
  const { data, isError, error, refetch } = useQuery(dayQuery(day, search))
  if (isError && !data) {
    if (error instanceof ApiError && error.status === 404) return <NotCompared day={day} mayDecide={mayDecide} />
    return <ErrorState error={error} holds={t('Nothing was changed.')} onRetry={() => refetch()} />
  }
  if (!data) return <FormSkeleton label={t('Loading')} />
  return (
    <div className={parts.detail} data-stack="lg" data-pad="lg">
      <div className={parts.head}>
        <h2 className={parts.title}>{calendarDay(day)}</h2>
        <DayState day={data.day} />
        {mayDecide && data.day.state !== 'asked' && <CompareButton day={day} label={t('Compare again')} />}
      </div>
      <Readings day={data.day} />
      {data.differences.length > 0 && (
        <section aria-label={t('Differences')}>
          <h3 className={parts.subtitle}>{t('Differences')}</h3>
          <ul data-plain>
            {data.differences.map((one) => (
              <MismatchRow key={one._id} mismatch={one} mayDecide={mayDecide} />
            ))}
          </ul>
        </section>
      )}
      <section aria-label={t('Side by side')}>
        <h3 className={parts.subtitle}>{t('Side by side')}</h3>
        <SideBySide sums={data.day.sums} />
      </section>
    </div>
  )
}

function NotCompared({ day, mayDecide }: { day: string; mayDecide: boolean }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="list"
      title={t('{{day}} was not compared yet', { day: calendarDay(day) })}
      action={mayDecide && <CompareButton day={day} label={t('Compare this day')} />}
    />
  )
}

/** The progress of reading each platform; one that does not answer is named, and its last result stays. */
function Readings({ day: { platforms, state, compared_at } }: { day: ReconciliationDay }) {
  const { t } = useTranslation()
  return (
    <div data-stack="sm">
      {compared_at !== null && (
        <p className={parts.quiet}>
          {t('Compared')} <Ago at={compared_at} />
        </p>
      )}
      {platforms.map(({ _id, name, problem, read_at, is_complete, accounts_read, accounts_total }) => {
        if (problem !== null)
          return (
            <Callout key={_id} meaning="amber">
              <PlatformProblem
                problem={problem}
                show={({ text }) => t('{{name}} could not be queried. {{why}}', { name, why: text })}
              />{' '}
              {read_at === null ? (
                t('It was never queried about this day.')
              ) : (
                <>
                  {t('Not queried since')} <Ago at={read_at} />
                </>
              )}
            </Callout>
          )
        if (state !== 'asked' || is_complete) return null
        return (
          <Callout key={_id} meaning="blue">
            {t('{{name}}: {{read}} of {{total}} accounts read', { name, read: accounts_read, total: accounts_total })}
          </Callout>
        )
      })}
    </div>
  )
}

function SideBySide({ sums }: { sums: DaySum[] }) {
  const { t } = useTranslation()
  if (sums.length === 0) return <p className={parts.quiet}>{t('No transactions.')}</p>
  const sorted = [...sums].sort((left, right) => Number(agrees(left)) - Number(agrees(right)))
  return (
    <div className={parts.scroll}>
      <table className={parts.table}>
        <thead>
          <tr>
            <th scope="col">{t('Method')}</th>
            <th scope="col">{t('Type')}</th>
            {['Portal', 'Provider', 'Platform'].map((side) => (
              <th key={side} scope="col" className={parts.amount}>
                {t(side)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((sum) => (
            <tr key={`${sum.currency} ${sum.method} ${sum.type}`} className={agrees(sum) ? undefined : parts.differs}>
              <td>{t(methodLabels(sum.method))}</td>
              <td>{sum.type === 'deposit' ? t('In') : t('Out')}</td>
              {([sum.portal, sum.provider, sum.platform] as const).map((amount, side) => (
                <td key={sides[side]} className={parts.amount}>
                  <Amount amount={amount} currency={sum.currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sides = ['portal', 'provider', 'platform']
