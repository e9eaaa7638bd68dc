import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { bringIntoView } from '../../ui/layout/bring-into-view.ts'
import { SearchField } from '../../ui/lists/filter-bar.tsx'
import { withFilter } from '../../ui/lists/list-address.ts'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import tabParts from '../../ui/lists/tabs.module.css'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { emptyTexts, tabLabels } from './ticket-labels.ts'
import parts from './ticket-parts.module.css'
import { ticketsList, ticketTabs } from './tickets-list.ts'
import { tickets } from './tickets-source.ts'
import { useTicketColumns } from './tickets-table.tsx'
import type { TicketRow } from './use-tickets.ts'

/** Open, in progress and closed tickets, each with its count. `onCreate` is null when nobody would receive a ticket. */
export function TicketLists({ onCreate }: { onCreate: (() => void) | null }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const at = useList(tickets, { to: '/support', ...inPlace })
  const { search, page, go } = at
  const { tab = 'open', q = '' } = search
  const lists = page.data?.answer
  // The rows of another tab are known while it loads.
  const shown = page.data && lists ? { ...at, page: { ...page, data: { ...page.data, ...lists[tab] } } } : at
  useEffect(() => {
    if (page.error) toast.warning(t(ticketTexts.listNotLoaded))
  }, [page.error, t])
  const open = ({ _id }: TicketRow) => ({ to: '/support' as const, search: { ...at.address, id: _id } as never })
  const columns = useTicketColumns(open)
  return (
    <>
      <div className={parts.search}>
        <SearchField
          field={at.field}
          label={t('Search tickets')}
          placeholder={t('Search by number or subject')}
          value={q}
          onSearch={(q) => go(withFilter(ticketsList, search, { q }))}
        />
      </div>
      <nav className={tabParts.tabs} aria-label={t('Tickets')}>
        {ticketTabs.map((name) => (
          <Link
            key={name}
            ref={name === tab ? bringIntoView : undefined}
            to="/support"
            search={withFilter(ticketsList, search, { tab: name }) as never}
            className={`${tabParts.tab} ${name === tab ? tabParts.here : ''}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {t(tabLabels[name])}
            <span className={tabParts.count}>{lists ? lists[name].total : '\u2007'}</span>
          </Link>
        ))}
      </nav>
      <ListRows
        at={shown}
        label={t(tabLabels[tab])}
        isSearched
        tab="tab"
        columns={columns}
        onOpen={(row) => navigate(open(row))}
        empty={
          <EmptyState
            drawing="list"
            title={t(emptyTexts[tab])}
            text={tab === 'open' ? t('Ask us anything. Your messages and our replies appear here.') : ''}
            action={tab === 'open' && onCreate && <Button onClick={onCreate}>{t('Create')}</Button>}
          />
        }
        footer={<ListPages at={shown} isCountShown />}
      />
    </>
  )
}
