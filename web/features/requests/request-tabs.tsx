import { Link } from '@tanstack/react-router'
import tabParts from '../../ui/lists/tabs.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type RequestsSearch, writeRequestsSearch } from './requests-search.ts'
import { useRequestCount } from './use-requests.ts'

const tabs = ['requests', 'history'] as const
const labels = { requests: 'Requests', history: 'History' }

/** The request types, and the member's history. */
export function RequestTabs({ search, customer }: { search: RequestsSearch; customer: string }) {
  const { t } = useTranslation()
  const count = useRequestCount(customer)
  return (
    <nav className={tabParts.tabs} aria-label={t('Requests')}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          to="/requests"
          search={writeRequestsSearch({ ...search, tab, id: undefined, page: 1 }) as never}
          className={`${tabParts.tab} ${tab === search.tab ? tabParts.here : ''}`}
          aria-current={tab === search.tab ? 'page' : undefined}
        >
          {t(labels[tab])}
          {tab === 'history' && <span className={tabParts.count}>{count ?? '\u2007'}</span>}
        </Link>
      ))}
    </nav>
  )
}
