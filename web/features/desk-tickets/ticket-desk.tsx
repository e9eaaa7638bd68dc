import { texts } from '@atrium/contract/texts.ts'
import { ticketStates } from '@atrium/contract/ticket-states.ts'
import { Button, Checkbox } from '@mantine/core'
import { IconChartBar, IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { saveTable } from '../../api/save-table.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { bringIntoView } from '../../ui/bring-into-view.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SearchField, TableButton } from '../../ui/filter-bar.tsx'
import { FormBones } from '../../ui/form-bones.tsx'
import { ForwardPager } from '../../ui/forward-pager.tsx'
import { useKeys } from '../../ui/keyboard.tsx'
import { Panes } from '../../ui/panes.tsx'
import { EmptyState } from '../../ui/state.tsx'
import shared from '../../ui/tabs.module.css'
import { useFirstRow } from '../../ui/use-first-row.ts'
import { useIsWide } from '../../ui/use-is-phone.ts'
import { CannedDialog } from './canned-dialog.tsx'
import { FiguresDialog } from './figures-dialog.tsx'
import parts from './ticket-desk.module.css'
import { TicketDetail } from './ticket-detail.tsx'
import { TicketList } from './ticket-list.tsx'
import { readTicketSearch, type TicketSearch } from './ticket-search.ts'
import { countWords, stateWords } from './ticket-words.ts'
import { deskTicketQuery, ticketsQuery } from './use-desk-tickets.ts'

type DeskProps = { staffId: string; mayAnswer: boolean }

/** The board of tickets and the one that is looked at. */
export function TicketDesk({ staffId, mayAnswer }: DeskProps) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const search = readTicketSearch(useSearch({ strict: false }))
  const { ticketId } = useParams({ strict: false }) as { ticketId?: string }
  const navigate = useNavigate()
  const list = useQuery(ticketsQuery(search))
  const rows = list.data?.state === (search.state ?? 'open') ? list.data.tickets : undefined
  const firstId = useFirstRow({ name: JSON.stringify(search), rows, isOld: list.isPlaceholderData })
  const shownId = ticketId ?? (isWide ? firstId : undefined)
  const move = (step: 1 | -1) => {
    const ids = rows?.map(({ _id }) => _id) ?? []
    const at = shownId === undefined ? -1 : ids.indexOf(shownId)
    const id = at < 0 ? ids[step === 1 ? 0 : ids.length - 1] : ids[at + step]
    if (id) navigate({ to: '/tickets/{-$ticketId}', params: { ticketId: id }, search, replace: ticketId !== undefined })
  }
  useKeys(t('Tickets'), [
    { keys: 'j', words: 'Next ticket', mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: 'Previous ticket', mayRepeat: true, act: () => move(-1) },
  ])
  return (
    <Panes
      bar={<Bar search={search} counts={list.data?.counts} mayAnswer={mayAnswer} />}
      listLabel={t('Board')}
      list={<Rows search={search} list={list} chosen={shownId} />}
      detailLabel={t('Ticket')}
      detailOf={shownId}
      detail={
        <>
          {!isWide && <Back search={search} />}
          {shownId && <One key={shownId} id={shownId} staffId={staffId} mayAnswer={mayAnswer} />}
        </>
      }
    />
  )
}

type BarProps = { search: TicketSearch; counts: Record<string, number> | undefined; mayAnswer: boolean }

function Bar({ search, counts, mayAnswer }: BarProps) {
  const { t } = useTranslation()
  const here = search.state ?? 'open'
  return (
    <>
      <nav className={`${shared.tabs} ${parts.bar}`} aria-label={t('Tickets by state')}>
        {ticketStates.map((state) => (
          <Link
            key={state}
            ref={state === here ? bringIntoView : undefined}
            to="/tickets/{-$ticketId}"
            params={{ ticketId: undefined }}
            search={readTicketSearch({ ...search, state, after: undefined })}
            className={`${shared.tab} ${state === here ? shared.here : ''}`}
            aria-current={state === here ? 'page' : undefined}
          >
            {t(stateWords[state].label)}
            <span className={shared.count}>{counts ? countWords(counts[state] ?? 0) : '\u2007'}</span>
          </Link>
        ))}
      </nav>
      <Tools search={search} mayAnswer={mayAnswer} />
    </>
  )
}

/** What narrows the board, and what belongs to all of it. */
function Tools({ search, mayAnswer }: Pick<BarProps, 'search' | 'mayAnswer'>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<'canned' | 'figures' | null>(null)
  const go = ({ after: _, ...next }: TicketSearch) =>
    navigate({ to: '/tickets/{-$ticketId}', params: { ticketId: undefined }, search: next, replace: true })
  return (
    <div className={parts.tools}>
      <Checkbox
        size="xs"
        label={t('Mine')}
        checked={search.mine === 'yes'}
        onChange={({ currentTarget }) =>
          go(readTicketSearch({ ...search, mine: currentTarget.checked ? 'yes' : undefined }))
        }
      />
      <div className={parts.find}>
        <SearchField
          label={t('Search tickets')}
          placeholder={t('Number, name or subject')}
          value={search.q ?? ''}
          onSearch={(q) => go(readTicketSearch({ ...search, q }))}
        />
      </div>
      <TableButton
        save={(tell) => {
          const { q, mine } = search
          return saveTable('/desk/api/tickets/table', { state: search.state ?? 'open', q, mine }, 'tickets.csv', tell)
        }}
      />
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconChartBar size={16} stroke={1.5} aria-hidden />}
        onClick={() => setOpened('figures')}
      >
        {t('Response times')}
      </Button>
      {mayAnswer && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconMessages size={16} stroke={1.5} aria-hidden />}
          onClick={() => setOpened('canned')}
        >
          {t('Canned replies')}
        </Button>
      )}
      <FiguresDialog isOpen={opened === 'figures'} onClose={() => setOpened(null)} />
      <CannedDialog isOpen={opened === 'canned'} onClose={() => setOpened(null)} />
    </div>
  )
}

type RowsProps = {
  search: TicketSearch
  list: ReturnType<typeof useQuery<Awaited<ReturnType<NonNullable<ReturnType<typeof ticketsQuery>['queryFn']>>>>>
  chosen: string | undefined
}

function Rows({ search, list, chosen }: RowsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => list.refetch()} />
  if (list.data?.state !== (search.state ?? 'open')) return <FormBones label={t('Loading')} />
  const { tickets, next } = list.data
  const turn = (after: string | undefined) =>
    navigate({
      to: '/tickets/{-$ticketId}',
      params: { ticketId: undefined },
      search: readTicketSearch({ ...search, after }),
    })
  return (
    <>
      <div className={parts.rows}>
        {tickets.length === 0 ? (
          <EmptyState
            drawing="list"
            title={search.q ? t(texts.noResults) : t('Nothing here yet')}
            text={(search.state ?? 'open') === 'open' ? t('New tickets appear here automatically.') : ''}
          />
        ) : (
          <TicketList rows={tickets} chosen={chosen} search={search} />
        )}
      </div>
      <ForwardPager at={search.after} next={next} onTurn={turn} />
    </>
  )
}

function Back({ search }: { search: TicketSearch }) {
  const { t } = useTranslation()
  return (
    <div className={parts.back}>
      <BackLink to="/tickets/{-$ticketId}" params={{ ticketId: undefined }} search={search}>
        {t('Back to the list')}
      </BackLink>
    </div>
  )
}

function One({ id, staffId, mayAnswer }: DeskProps & { id: string }) {
  const { t } = useTranslation()
  const ticket = useQuery(deskTicketQuery(id))
  if (ticket.data) return <TicketDetail ticket={ticket.data} staffId={staffId} mayAnswer={mayAnswer} />
  if (!ticket.isError) return <FormBones label={t('Loading')} />
  const isGone = ticket.error instanceof ApiError && [404, 422].includes(ticket.error.status)
  if (isGone)
    return <EmptyState drawing="search" title={t('There is no such ticket')} text={t('The address may be wrong.')} />
  return <ErrorState error={ticket.error} onRetry={() => ticket.refetch()} />
}
