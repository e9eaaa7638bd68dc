import { EmptyState } from '../../ui/feedback/state.tsx'
import { dayControl } from '../../ui/lists/day-control.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CompareButton } from './compare-button.tsx'
import { DayDetail } from './day-detail.tsx'
import { DayRow } from './day-row.tsx'
import { methodLabels } from './reconciliation-labels.ts'
import { type Days, days } from './use-reconciliation.ts'

/** Transactions per day according to the portal, providers and platforms, with their mismatches. */
export function ReconciliationPage({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const controls: ListControls<typeof days.list, Days> = {
    from: dayControl,
    currency: {
      label: 'Currency',
      all: 'Any currency',
      from: ({ currencies }) => currencies.map((name) => ({ _id: name, name })),
    },
    method: {
      label: 'Method',
      all: 'Any method',
      from: ({ methods }) => methods.map((method) => ({ _id: method, name: t(methodLabels(method)) })),
    },
    only: { label: 'Which days', all: 'All days', labels: { differences: 'With differences' } },
  }
  return (
    <PaneList
      source={days}
      to="/reconciliation/{-$day}"
      param="day"
      idShape={/^\d{4}-\d{2}-\d{2}$/}
      label={t('Days')}
      detailLabel={t('Day')}
      controls={controls}
      tools={(answer, search) =>
        // Today is reconciled only on request; a filtered list does not offer it.
        mayDecide &&
        answer &&
        Object.keys(search).length === 0 &&
        answer.days[0]?.day !== answer.today && <CompareButton day={answer.today} label={t('Compare today so far')} />
      }
      counted={({ is_cut }) => is_cut && t('The latest days of this range. Export CSV has all of them.')}
      empty={() => (
        <EmptyState
          drawing="list"
          title={t('No day was compared yet')}
          text={t('The last days are compared each night. Other days are compared on request.')}
        />
      )}
      row={(day, _search, { largest }) => <DayRow day={day} largest={largest} />}
      isFirst={({ open }) => open > 0}
      detail={(day, _proceed, search) => <DayDetail key={day} day={day} search={search} mayDecide={mayDecide} />}
    />
  )
}
