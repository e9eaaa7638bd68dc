import type { DeskRequestRow } from '@atrium/contract/desk-requests.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Ago } from '../../ui/moment.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import shared from '../../ui/work-rows.module.css'
import type { RequestSearch } from './request-search.ts'
import { priorityWords } from './request-words.ts'
import parts from './requests.module.css'

type ListProps = { rows: DeskRequestRow[]; chosen: string | undefined; search: RequestSearch }

/** Each row is a link to its request, so that it opens in a new tab as links do. */
export function RequestList({ rows, chosen, search }: ListProps) {
  const { t } = useTranslation()
  return (
    <ul className={shared.list} aria-label={t('Requests')}>
      {rows.map((row) => (
        <li key={row._id}>
          <Link
            to="/requests/{-$requestId}"
            params={{ requestId: row._id }}
            search={search}
            className={`${shared.row} ${row._id === chosen ? shared.chosen : ''}`}
            aria-current={row._id === chosen ? 'true' : undefined}
          >
            <RequestLine row={row} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function RequestLine({ row }: { row: DeskRequestRow }) {
  const { t } = useTranslation()
  return (
    <>
      <span className={shared.line}>
        <span className={`${shared.cut} ${parts.strong}`}>{row.subject}</span>
        {row.priority !== 'low' && (
          <span className={parts.side}>
            <Tag label={t(priorityWords[row.priority])} isStrong={row.priority === 'high'} />
          </span>
        )}
      </span>
      <span className={`${shared.line} ${shared.more}`}>
        <span className={shared.cut}>
          {t('#{{number}}', row)} <bdi>{row.member.name}</bdi>{' '}
          {t('No. {{number}}', { number: row.member.customer_number })}
          {row.assigned && (
            <>
              {' \u00b7 '}
              <bdi>{row.assigned.name}</bdi>
            </>
          )}
        </span>
        <span className={parts.side}>
          <Ago at={row.status_since} />
        </span>
      </span>
    </>
  )
}
