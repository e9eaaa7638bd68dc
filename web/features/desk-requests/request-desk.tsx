import type { DeskRequestRow } from '@atrium/contract/desk-requests.ts'
import { requestStates } from '@atrium/contract/request-states.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { saveTable } from '../../api/save-table.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { bringIntoView } from '../../ui/bring-into-view.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterChoice, SearchField, TableButton } from '../../ui/filter-bar.tsx'
import { FormBones } from '../../ui/form-bones.tsx'
import { ForwardPager } from '../../ui/forward-pager.tsx'
import { useKeys } from '../../ui/keyboard.tsx'
import { Panes } from '../../ui/panes.tsx'
import { EmptyState } from '../../ui/state.tsx'
import shared from '../../ui/tabs.module.css'
import { useFirstRow } from '../../ui/use-first-row.ts'
import { useIsWide } from '../../ui/use-is-phone.ts'
import type { RequestDeskProps } from './request-desk-props.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'
import { firstStatus, type RequestSearch, readRequestSearch } from './request-search.ts'
import { stateWords } from './request-words.ts'
import parts from './requests.module.css'
import { deskRequestQuery, requestsQuery, requestTypesQuery } from './use-desk-requests.ts'

const to = '/requests/{-$requestId}'

/** The board of requests and the one that is looked at. */
export function RequestDesk(props: RequestDeskProps) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const search = readRequestSearch(useSearch({ strict: false }))
  const { requestId } = useParams({ strict: false }) as { requestId?: string }
  const navigate = useNavigate()
  const list = useQuery(requestsQuery(search))
  const rows = list.data?.status === (search.status ?? firstStatus) ? list.data.requests : undefined
  const firstId = useFirstRow({ name: JSON.stringify(search), rows, isOld: list.isPlaceholderData })
  const shownId = requestId ?? (isWide ? firstId : undefined)
  const move = (step: 1 | -1) => {
    const ids = rows?.map(({ _id }) => _id) ?? []
    const at = shownId === undefined ? -1 : ids.indexOf(shownId)
    const id = at < 0 ? ids[step === 1 ? 0 : ids.length - 1] : ids[at + step]
    if (id) navigate({ to, params: { requestId: id }, search, replace: requestId !== undefined })
  }
  useKeys(t('Requests'), [
    { keys: 'j', words: t('Next request'), mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: t('Previous request'), mayRepeat: true, act: () => move(-1) },
  ])
  const failed = list.isError && !list.data ? list.error : null
  return (
    <Panes
      bar={<Bar search={search} counts={list.data?.counts} />}
      listLabel={t('Board')}
      list={
        failed ? (
          <ErrorState error={failed} onRetry={() => list.refetch()} />
        ) : (
          <Rows search={search} rows={rows} next={list.data?.next ?? null} chosen={shownId} />
        )
      }
      detailLabel={t('Request')}
      detailOf={shownId}
      detail={
        <>
          {!isWide && <Back search={search} />}
          {shownId && <One key={shownId} {...props} id={shownId} />}
        </>
      }
    />
  )
}

type BarProps = { search: RequestSearch; counts: Record<string, number> | undefined }

function Bar({ search, counts }: BarProps) {
  const { t } = useTranslation()
  const here = search.status ?? firstStatus
  return (
    <>
      <nav className={`${shared.tabs} ${parts.bar}`} aria-label={t('Requests by state')}>
        {requestStates.map((status) => (
          <Link
            key={status}
            ref={status === here ? bringIntoView : undefined}
            to={to}
            params={{ requestId: undefined }}
            search={readRequestSearch({ ...search, status, after: undefined })}
            className={`${shared.tab} ${status === here ? shared.here : ''}`}
            aria-current={status === here ? 'page' : undefined}
          >
            {t(stateWords[status].label)}
            <span className={shared.count}>{counts ? counts[status] : '\u2007'}</span>
          </Link>
        ))}
      </nav>
      <Tools search={search} />
    </>
  )
}

/** What narrows the board. */
function Tools({ search }: { search: RequestSearch }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const types = useQuery(requestTypesQuery)
  const go = ({ after: _, ...next }: RequestSearch) =>
    navigate({ to, params: { requestId: undefined }, search: next, replace: true })
  const { q, mine, type } = search
  return (
    <div className={parts.tools}>
      <Checkbox
        size="xs"
        label={t('Mine')}
        checked={mine === 'yes'}
        onChange={({ currentTarget }) =>
          go(readRequestSearch({ ...search, mine: currentTarget.checked ? 'yes' : undefined }))
        }
      />
      <FilterChoice
        label={t('Type')}
        all={t('All types')}
        data={(types.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
        value={type}
        onChoose={(value) => go(readRequestSearch({ ...search, type: value ?? undefined }))}
      />
      <div className={parts.find}>
        <SearchField
          label={t('Search requests')}
          placeholder={t('Number, name or subject')}
          value={q ?? ''}
          onSearch={(words) => go(readRequestSearch({ ...search, q: words }))}
        />
      </div>
      <TableButton
        save={(tell) => {
          const status = search.status ?? firstStatus
          return saveTable('/desk/api/requests/table', { status, q, mine, type }, 'requests.csv', tell)
        }}
      />
    </div>
  )
}

type RowsProps = {
  search: RequestSearch
  rows: DeskRequestRow[] | undefined
  next: string | null
  chosen: string | undefined
}

function Rows({ search, rows, next, chosen }: RowsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  if (!rows) return <FormBones label={t('Loading')} />
  const turn = (after: string | undefined) =>
    navigate({ to, params: { requestId: undefined }, search: readRequestSearch({ ...search, after }) })
  return (
    <>
      <div className={parts.rows}>
        {rows.length === 0 ? (
          <EmptyState
            drawing="list"
            title={search.q || search.type || search.mine ? t(texts.noResults) : t('Nothing here yet')}
            text={(search.status ?? firstStatus) === firstStatus ? t('New requests appear here automatically.') : ''}
          />
        ) : (
          <RequestList rows={rows} chosen={chosen} search={search} />
        )}
      </div>
      <ForwardPager at={search.after} next={next} onTurn={turn} />
    </>
  )
}

function Back({ search }: { search: RequestSearch }) {
  const { t } = useTranslation()
  return (
    <div className={parts.back}>
      <BackLink to={to} params={{ requestId: undefined }} search={search}>
        {t('Back to the list')}
      </BackLink>
    </div>
  )
}

function One({ id, ...props }: RequestDeskProps & { id: string }) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(deskRequestQuery(id))
  if (data) return <RequestDetail request={data} {...props} />
  if (!isError) return <FormBones label={t('Loading')} />
  const isGone = error instanceof ApiError && [404, 422].includes(error.status)
  if (isGone)
    return <EmptyState drawing="search" title={t('There is no such request')} text={t('The address may be wrong.')} />
  return <ErrorState error={error} onRetry={() => refetch()} />
}
