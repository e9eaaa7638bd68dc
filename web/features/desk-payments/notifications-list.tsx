import { limits } from '@atrium/contract/limits.ts'
import { notificationKinds } from '@atrium/contract/payments/webhook-events.ts'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { ForwardPager } from '../../ui/lists/forward-pager.tsx'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { RowList } from '../../ui/lists/row-list.tsx'
import { startOfDay, startOfDayAfter } from '../../ui/text/format.ts'
import { NotificationRow } from './notification-row.tsx'
import { kindLabels } from './payment-labels.ts'
import parts from './payments.module.css'
import { notificationsQuery } from './use-payments.ts'

type Filters = { provider: string | null; kind: (typeof notificationKinds)[number] | null; q: string; day: string }
const nothing: Filters = { provider: null, kind: null, q: '', day: '' }

function askedOf({ provider, kind, q, day }: Filters) {
  const from = day === '' ? null : startOfDay(day)
  return {
    ...(provider && { provider }),
    ...(kind && { kind }),
    ...(q.trim() !== '' && q.length <= limits.searchCharsMax && { q: q.trim() }),
    ...(from !== null && { from, to: startOfDayAfter(day) }),
  }
}

/** Everything that came in, whoever sent it, the newest first. */
export function NotificationsList({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const [filters, setFilters] = useState(nothing)
  const [before, setBefore] = useState<string>()
  const asked = askedOf(filters)
  const { data, error, refetch } = useQuery(notificationsQuery({ ...asked, ...(before && { before }) }))
  const put = (part: Partial<Filters>) => {
    setFilters({ ...filters, ...part })
    setBefore(undefined)
  }
  const isEmpty = data?.notifications.length === 0
  return (
    <>
      <div className={parts.filters}>
        <TextInput
          label={t('Number')}
          placeholder={t('Ours or theirs')}
          charsMax={limits.searchCharsMax}
          value={filters.q}
          onChange={(event) => put({ q: event.currentTarget.value })}
        />
        <Select
          label={t('Provider')}
          placeholder={t('All')}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear the provider') }}
          data={data?.providers.map(({ app_uid, name }) => ({ value: app_uid, label: name })) ?? []}
          value={filters.provider}
          onChange={(provider) => put({ provider })}
        />
        <Select
          label={t('Verdict')}
          placeholder={t('All')}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear the verdict') }}
          data={notificationKinds.map((kind) => ({ value: kind, label: t(kindLabels[kind]) }))}
          value={filters.kind}
          onChange={(kind) => put({ kind: notificationKinds.find((name) => name === kind) ?? null })}
        />
        <DateInput label={t('Day')} value={filters.day} onChange={(day) => put({ day })} />
      </div>
      <Card>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
        ) : isEmpty && Object.keys(asked).length > 0 ? (
          <NoMatches onClear={() => put(nothing)} />
        ) : isEmpty ? (
          <EmptyState
            drawing="list"
            title={t('No notifications yet')}
            text={t('New entries appear here automatically.')}
          />
        ) : (
          <RowList label={t('Notifications')} looks={parts} skeleton={4}>
            {data?.notifications.map((each) => (
              <NotificationRow key={each._id} notification={each} mayDecide={mayDecide} />
            ))}
          </RowList>
        )}
      </Card>
      <ForwardPager at={before} next={data?.next} onTurn={setBefore} />
    </>
  )
}
