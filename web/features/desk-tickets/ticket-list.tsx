import type { CallAnswer } from '@atrium/contract/call.ts'
import type { listTickets } from '@atrium/contract/desk-tickets.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Ago } from '../../ui/moment.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import shared from '../../ui/work-rows.module.css'
import parts from './ticket-desk.module.css'
import type { TicketSearch } from './ticket-search.ts'
import { priorityWords } from './ticket-words.ts'

type Row = CallAnswer<typeof listTickets>['tickets'][number]
type ListProps = { rows: Row[]; chosen: string | undefined; search: TicketSearch }

/** Each row is a link to its ticket, so that it opens in a new tab as links do. */
export function TicketList({ rows, chosen, search }: ListProps) {
  const { t } = useTranslation()
  return (
    <ul className={shared.list} aria-label={t('Tickets')}>
      {rows.map((row) => (
        <li key={row._id}>
          <Link
            to="/tickets/{-$ticketId}"
            params={{ ticketId: row._id }}
            search={search}
            className={`${shared.row} ${row._id === chosen ? shared.chosen : ''}`}
            aria-current={row._id === chosen ? 'true' : undefined}
          >
            <TicketLine row={row} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function TicketLine({ row }: { row: Row }) {
  const { t } = useTranslation()
  return (
    <>
      <span className={shared.line}>
        <span className={parts.name}>
          {row.is_unread && (
            <>
              <span className={parts.unread} aria-hidden />
              <span className={parts.hidden}>{t('Unread')}</span>
            </>
          )}
          <span className={shared.cut}>{row.subject}</span>
        </span>
        <span className={parts.side}>
          {row.priority !== 'low' && <Tag label={t(priorityWords[row.priority])} isStrong={row.priority === 'high'} />}
        </span>
      </span>
      <span className={`${shared.line} ${shared.more}`}>
        <span className={shared.cut}>
          {t('#{{ticket}}', row)} <bdi>{row.member.name}</bdi>{' '}
          {t('No. {{number}}', { number: row.member.customer_number })}
          {row.taken_by && (
            <>
              {' \u00b7 '}
              <bdi>{row.taken_by.name}</bdi>
            </>
          )}
        </span>
        <span className={parts.side}>
          {row.waits && row.state !== 'resolved' && row.state !== 'closed' && <Tag label={t('Waits')} />}
          <Ago at={row.state_since} />
        </span>
      </span>
    </>
  )
}
