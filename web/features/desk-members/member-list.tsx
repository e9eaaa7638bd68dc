import type { CallAnswer } from '@atrium/contract/call.ts'
import type { listMembers } from '@atrium/contract/desk-members.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { day, readerLanguage } from '../../ui/format.ts'
import { identityWords } from '../../ui/identity-words.ts'
import { EmptyState } from '../../ui/state.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { Turning } from '../../ui/turning.tsx'
import rows from '../../ui/work-rows.module.css'
import parts from './member-list.module.css'
import { isFiltered, type MemberSearch } from './member-search.ts'
import { statusWords } from './member-words.ts'
import type { MemberRow } from './use-members.ts'

type MemberListProps = {
  list: UseQueryResult<CallAnswer<typeof listMembers>>
  search: MemberSearch
  chosen: string | undefined
  onSearch: (search: MemberSearch) => void
}

/** For the keys: they move the focus along with the choice. */
export const rowId = (id: string) => `member-${id}`

export function MemberList({ list, search, chosen, onSearch }: MemberListProps) {
  const { t } = useTranslation()
  const members = list.data?.members
  if (list.isError && !list.data)
    return <ErrorState error={list.error} holds={t('Nothing was changed.')} onRetry={() => list.refetch()} />
  if (members?.length === 0)
    return isFiltered(search) ? (
      <EmptyState
        drawing="search"
        title={t(texts.noResults)}
        text={t('Search matches the beginning of names, emails, customer numbers and logins.')}
        action={
          <Button size="xs" variant="default" onClick={() => onSearch({})}>
            {t('Clear the filters')}
          </Button>
        }
      />
    ) : (
      <EmptyState drawing="list" title={t('No members yet')} text={t('Invite the first one.')} />
    )
  return (
    <>
      <div className={parts.scroll}>
        <ul className={rows.list} aria-label={t('Members')} aria-busy={members === undefined || list.isPlaceholderData}>
          {members === undefined && <Bones />}
          {members?.map((row) => (
            <li key={row._id}>
              <Link
                id={rowId(row._id)}
                to="/members/{-$memberId}"
                params={{ memberId: row._id }}
                search={search}
                className={`${rows.row} ${row._id === chosen ? rows.chosen : ''}`}
                aria-current={row._id === chosen ? 'true' : undefined}
              >
                <Row row={row} />
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {list.data && <Pages list={list.data} search={search} onSearch={onSearch} />}
    </>
  )
}

function Row({ row }: { row: MemberRow }) {
  const { t } = useTranslation()
  const status = row.status === 'active' ? identityWords[row.documents_status] : statusWords[row.status]
  return (
    <>
      <span className={rows.line}>
        <bdi className={`${rows.cut} ${parts.name}`}>{row.name}</bdi>
        <StatusPill meaning={status.meaning} label={t(status.label)} />
      </span>
      <span className={`${rows.line} ${parts.more}`}>
        <span className={rows.cut}>
          {t('No. {{number}}', { number: row.customer_number })} {'·'} {row.email}
        </span>
        <span className={parts.joined}>{day(row.created_at)}</span>
      </span>
    </>
  )
}

function Pages({
  list,
  search,
  onSearch,
}: { list: CallAnswer<typeof listMembers> } & Pick<MemberListProps, 'search' | 'onSearch'>) {
  const { t } = useTranslation()
  const { after: _, before: __, ...filters } = search
  const { total } = list
  const isLeast = total >= limits.countedMax || list.total_is_least === true
  const shown = new Intl.NumberFormat(readerLanguage()).format(total)
  return (
    <div className={parts.turning}>
      <Turning marks={list} onTurn={(turn) => onSearch({ ...filters, ...turn })}>
        {isLeast ? t('{{shown}} members and more', { shown }) : t('Members: {{shown}}', { shown })}
      </Turning>
    </div>
  )
}

const placeholders = Array.from({ length: limits.placeholderRows * 2 }, (_, index) => `placeholder-${index}`)

function Bones() {
  return placeholders.map((placeholder) => (
    <li key={placeholder} className={rows.row} aria-hidden>
      <Skeleton height={12} width={160} my={4} />
      <Skeleton height={10} width={220} my={5} />
    </li>
  ))
}
