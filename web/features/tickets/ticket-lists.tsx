import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { notice } from '../../ui/feedback/notice.ts'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { bringIntoView } from '../../ui/layout/bring-into-view.ts'
import { Card } from '../../ui/layout/page.tsx'
import { SearchField } from '../../ui/lists/filter-bar.tsx'
import { PagerBar } from '../../ui/lists/paging/pager-bar.tsx'
import tabParts from '../../ui/lists/tabs.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { emptyWords, tabLabels } from './ticket-labels.ts'
import parts from './ticket-parts.module.css'
import { type TicketsSearch, ticketTabs, writeTicketsSearch } from './tickets-search.ts'
import { TicketsTable } from './tickets-table.tsx'
import { useTicketLists } from './use-tickets.ts'

type ListsProps = {
  search: TicketsSearch
  /** Null when nobody would receive a ticket. */
  onCreate: (() => void) | null
}

/** Open, in progress and closed tickets, each with its count; the search filters all three. */
export function TicketLists({ search, onCreate }: ListsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const lists = useTicketLists(search)
  const { tab, q, page } = search
  useEffect(() => {
    if (lists.error) notice.warning(t(ticketTexts.listNotLoaded))
  }, [lists.error, t])
  const go = (next: Partial<TicketsSearch>, replace = false) =>
    navigate({
      to: '/support',
      search: writeTicketsSearch({ ...search, ...next }) as never,
      replace,
      resetScroll: false,
    })
  const list = lists.data?.[tab]
  return (
    <>
      <div className={parts.search}>
        <SearchField
          label={t('Search tickets')}
          placeholder={t('Search by number or subject')}
          value={q}
          onSearch={(words) => go({ q: words, page: 1 }, true)}
        />
      </div>
      <nav className={tabParts.tabs} aria-label={t('Tickets')}>
        {ticketTabs.map((name) => (
          <Link
            key={name}
            ref={name === tab ? bringIntoView : undefined}
            to="/support"
            search={writeTicketsSearch({ ...search, tab: name, page: 1 }) as never}
            className={`${tabParts.tab} ${name === tab ? tabParts.here : ''}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {t(tabLabels[name])}
            <span className={tabParts.count}>{lists.data ? lists.data[name].total : '\u2007'}</span>
          </Link>
        ))}
      </nav>
      {lists.error && !lists.data ? (
        <Card>
          <ErrorState error={lists.error} onRetry={() => lists.refetch()} />
        </Card>
      ) : (
        <TicketsTable
          label={t(tabLabels[tab])}
          search={search}
          rows={list?.rows}
          empty={
            <EmptyState
              drawing="list"
              title={t(q === '' ? emptyWords[tab] : texts.noResults)}
              text={q === '' && tab === 'open' ? t('Ask us anything. Your messages and our replies appear here.') : ''}
              action={q === '' && tab === 'open' && onCreate && <Button onClick={onCreate}>{t('Create')}</Button>}
            />
          }
          footer={
            <PagerBar
              page={page}
              size={limits.ticketsPageSize}
              total={list?.total ?? 0}
              onPage={(next) => go({ page: next })}
            />
          }
        />
      )}
    </>
  )
}
