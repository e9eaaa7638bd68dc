import { Link, useSearch } from '@tanstack/react-router'
import { filtersOf } from '../../ui/lists/list-address.ts'
import tabParts from '../../ui/lists/tabs.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { requestsList } from './requests-list.ts'
import { useRequestCount } from './use-requests.ts'

const labels = { requests: 'Requests', history: 'History' }

/** The request types, and the member's history. */
export function RequestTabs({ here, customer }: { here: 'requests' | 'history'; customer: string }) {
  const { t } = useTranslation()
  const filters = filtersOf(requestsList, useSearch({ strict: false }))
  const count = useRequestCount(customer)
  return (
    <nav className={tabParts.tabs} aria-label={t('Requests')}>
      {(['requests', 'history'] as const).map((tab) => (
        <Link
          key={tab}
          to="/requests"
          search={{ ...(tab === 'history' && { tab }), ...filters } as never}
          className={`${tabParts.tab} ${tab === here ? tabParts.here : ''}`}
          aria-current={tab === here ? 'page' : undefined}
        >
          {t(labels[tab])}
          {tab === 'history' && <span className={tabParts.count}>{count ?? '\u2007'}</span>}
        </Link>
      ))}
    </nav>
  )
}
