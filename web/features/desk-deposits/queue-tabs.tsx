import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { bringIntoView } from '../../ui/layout/bring-into-view.ts'
import { countShown } from '../../ui/lists/count-shown.ts'
import shared from '../../ui/lists/tabs.module.css'
import { tabLabels } from './deposit-labels.ts'
import { type QueueTab, type QueueView, queueTabs, toQueueSearch } from './deposit-queue.ts'
import parts from './queue-bar.module.css'
import type { DeskCounts } from './use-desk-deposits.ts'

type QueueTabsProps = { view: QueueView; counts: DeskCounts | undefined }

function countOf(tab: QueueTab, counts: DeskCounts): number {
  if (tab !== 'all') return counts[tab] ?? 0
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** The states of deposits as places to go, with how many stand in each. */
export function QueueTabs({ view, counts }: QueueTabsProps) {
  const { t, i18n } = useTranslation()
  const { tab } = view
  return (
    <nav className={`${shared.tabs} ${parts.tabs}`} aria-label={t('Deposits by state')}>
      {queueTabs.map((name) => (
        <Link
          key={name}
          ref={name === tab ? bringIntoView : undefined}
          to="/deposits/{-$depositId}"
          params={{ depositId: undefined }}
          search={toQueueSearch({ ...view, tab: name, page: 1 })}
          className={`${shared.tab} ${name === tab ? shared.here : ''}`}
          aria-current={name === tab ? 'page' : undefined}
        >
          {t(tabLabels[name])}
          <span className={shared.count}>{counts ? countShown(countOf(name, counts), i18n.language) : '\u2007'}</span>
        </Link>
      ))}
    </nav>
  )
}
