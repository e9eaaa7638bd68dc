import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { PagerBar } from '../../ui/lists/pager-bar.tsx'
import { time } from '../../ui/text/format.ts'
import parts from './deposit-desk.module.css'
import { emptyWords } from './deposit-labels.ts'
import { DepositList } from './deposit-list.tsx'
import { type QueueView, queuePageSize, toQueueSearch } from './deposit-queue.ts'
import type { useDepositQueue } from './use-deposit-queue.ts'
import type { useQueuePlace } from './use-queue-place.ts'

type QueuePaneProps = { place: ReturnType<typeof useQueuePlace>; queue: ReturnType<typeof useDepositQueue> }

export function QueuePane({ place: { view, depositId, open }, queue: { list, rows, isOld } }: QueuePaneProps) {
  const { t } = useTranslation()
  const total = list.data?.total ?? 0
  if (list.isError && !list.data)
    return <ErrorState error={list.error} holds={t('No decision was made.')} onRetry={() => list.refetch()} />
  return (
    <>
      {list.isError && (
        <div className={parts.stale}>
          <Callout meaning="amber">
            {t('Not refreshed since {{time}}. Trying again.', { time: time(list.dataUpdatedAt) })}
          </Callout>
        </div>
      )}
      <div className={parts.rows}>
        {rows?.length === 0 ? (
          <EmptyQueue view={view} onClear={() => open(undefined, { tab: view.tab, q: '', page: 1 })} />
        ) : (
          <DepositList
            rows={rows}
            chosen={depositId}
            search={toQueueSearch(view)}
            isStateShown={view.tab === 'all'}
            isOld={isOld}
          />
        )}
      </div>
      {rows && (total > queuePageSize || view.page > 1) && (
        <PagerBar
          page={view.page}
          size={queuePageSize}
          total={total}
          isLeast={total >= limits.countedMax || list.data?.total_is_least === true}
          onPage={(page) => open(undefined, { ...view, page })}
        />
      )}
    </>
  )
}

function EmptyQueue({ view, onClear }: { view: QueueView; onClear: () => void }) {
  const { t } = useTranslation()
  if (view.q !== '' || view.from || view.to)
    return (
      <EmptyState
        drawing="search"
        title={t(texts.noResults)}
        text={t(
          'No matches. Numbers, amounts and references are matched as a whole, amounts among the latest 10,000 of the chosen days.',
        )}
        action={
          <Button size="xs" variant="default" onClick={onClear}>
            {t('Clear the filters')}
          </Button>
        }
      />
    )
  const { title, text } = emptyWords[view.tab]
  return <EmptyState drawing="list" title={t(title)} text={t(text)} />
}
