import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { useKeys } from '../../ui/layout/keyboard.tsx'
import { Panes } from '../../ui/layout/panes.tsx'
import { useIsWide } from '../../ui/layout/use-is-phone.ts'
import rows from '../../ui/layout/work-rows.module.css'
import { PagerBar } from '../../ui/lists/pager-bar.tsx'
import shared from '../../ui/lists/tabs.module.css'
import { Ago } from '../../ui/text/moment.tsx'
import { DocumentDetail } from './document-detail.tsx'
import { statusLabels, tabLabels } from './document-labels.ts'
import { type DocumentSearch, queuePageSize, queueTabs, readDocumentSearch, searchCharsMax } from './document-search.ts'
import parts from './documents.module.css'
import { documentQuery, documentsQuery, type Verdict } from './use-documents.ts'
import { VerdictDialog } from './verdict-dialog.tsx'

type DocumentsDeskProps = { mayDecide: boolean; drawPerson: (memberId: string) => ReactNode }

/** The queue of KYC documents, what waits longest first, and the one that is looked at. */
export function DocumentsDesk({ mayDecide, drawPerson }: DocumentsDeskProps) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const navigate = useNavigate()
  const search = readDocumentSearch(useSearch({ strict: false }))
  const { documentId } = useParams({ strict: false }) as { documentId?: string }
  const list = useQuery(documentsQuery(search))
  const field = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<Verdict['do'] | null>(null)
  const ids = list.data?.documents.map(({ _id }) => _id) ?? []
  const open = (id: string | undefined, next: DocumentSearch = search) =>
    navigate({ to: '/documents/{-$documentId}', params: { documentId: id }, search: next, replace: true })
  const at = ids.indexOf(documentId ?? '')
  const step = (by: 1 | -1) => {
    const next = ids[Math.max(0, Math.min(ids.length - 1, at + by))]
    if (next) void open(next)
  }
  useKeys(t('Documents'), [
    { keys: 'j', words: 'Next document', mayRepeat: true, act: () => step(1) },
    { keys: 'k', words: 'Previous document', mayRepeat: true, act: () => step(-1) },
    { keys: 'a', words: 'Verify (asks first)', act: () => mayDecide && documentId && setAsked('verify') },
    { keys: 'r', words: 'Reject, with a reason', act: () => mayDecide && documentId && setAsked('reject') },
    { keys: '/', words: 'Search', act: () => field.current?.focus() },
  ])
  const proceed = () => {
    setAsked(null)
    if (search.state === undefined) void open(ids[at + 1] ?? ids[at - 1])
  }
  return (
    <Panes
      bar={
        <>
          <nav className={`${shared.tabs} ${parts.tabs}`} aria-label={t('Documents by state')}>
            {queueTabs.map((tab) => (
              <Link
                key={tab}
                to="/documents/{-$documentId}"
                params={{ documentId: undefined }}
                search={readDocumentSearch({ state: tab, q: search.q })}
                className={`${shared.tab} ${tab === (search.state ?? 'in_verification') ? shared.here : ''}`}
                aria-current={tab === (search.state ?? 'in_verification') ? 'page' : undefined}
              >
                {t(tabLabels[tab])}
                {tab !== 'all' && <span className={shared.count}>{list.data?.counts[tab] ?? '\u2007'}</span>}
              </Link>
            ))}
          </nav>
          <Search
            key={search.state}
            q={search.q ?? ''}
            field={field}
            onSearch={(q) => open(undefined, readDocumentSearch({ ...search, q, page: 1 }))}
          />
        </>
      }
      listLabel={t('Queue')}
      list={
        <QueueList
          search={search}
          chosen={documentId}
          list={list}
          onPage={(page) => open(undefined, { ...search, page })}
        />
      }
      detailLabel={t('Document')}
      detailOf={documentId}
      detail={
        <>
          {!isWide && (
            <BackLink to="/documents/{-$documentId}" params={{ documentId: undefined }} search={search}>
              {t('Back to the list')}
            </BackLink>
          )}
          {documentId ? (
            <Looked
              key={documentId}
              id={documentId}
              asked={asked}
              drawPerson={drawPerson}
              onAsk={mayDecide ? setAsked : null}
              onClose={() => setAsked(null)}
              onDecided={proceed}
            />
          ) : (
            <EmptyState drawing="list" title={t('Choose a document')} />
          )}
        </>
      }
    />
  )
}

type LookedProps = {
  id: string
  drawPerson: (memberId: string) => ReactNode
  asked: Verdict['do'] | null
  onAsk: ((what: Verdict['do']) => void) | null
  onClose: () => void
  onDecided: () => void
}

function Looked({ id, drawPerson, asked, onAsk, onClose, onDecided }: LookedProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(documentQuery(id))
  if (!data && error) return <ErrorState error={error} holds={t('No decision was made.')} onRetry={() => refetch()} />
  if (!data) return <Skeleton height={320} m={24} />
  return (
    <>
      <DocumentDetail document={data} person={drawPerson(data.member._id)} onDecide={onAsk} />
      <VerdictDialog what={asked} document={data} onClose={onClose} onDecided={onDecided} />
    </>
  )
}

type QueueListProps = {
  search: DocumentSearch
  chosen: string | undefined
  list: ReturnType<typeof useQuery<Awaited<ReturnType<NonNullable<ReturnType<typeof documentsQuery>['queryFn']>>>>>
  onPage: (page: number) => void
}

const skeleton = ['first', 'second', 'third', 'fourth', 'fifth']

function QueueList({ search, chosen, list, onPage }: QueueListProps) {
  const { t } = useTranslation()
  const { data, error } = list
  if (!data && error)
    return <ErrorState error={error} holds={t('No decision was made.')} onRetry={() => list.refetch()} />
  if (data?.documents.length === 0)
    return search.q ? (
      <EmptyState drawing="search" title={t(texts.noResults)} />
    ) : (
      <EmptyState drawing="list" title={t('No documents here')} text={t('New documents appear here automatically.')} />
    )
  return (
    <>
      <ul className={rows.list} aria-label={t('Documents')} aria-busy={!data || list.isPlaceholderData}>
        {!data &&
          skeleton.map((bone) => (
            <li key={bone} className={rows.row} aria-hidden>
              <Skeleton height={12} width="60%" my={4} />
            </li>
          ))}
        {data?.documents.map((row) => {
          const { meaning = 'grey', label = row.status } = statusLabels[row.status] ?? {}
          return (
            <li key={row._id}>
              <Link
                to="/documents/{-$documentId}"
                params={{ documentId: row._id }}
                search={search}
                className={`${rows.row} ${row._id === chosen ? rows.chosen : ''}`}
                aria-current={row._id === chosen ? 'true' : undefined}
              >
                <span className={rows.line}>
                  <span className={rows.cut}>{row.member.name}</span>
                  <Ago at={row.created_at} />
                </span>
                <span className={`${rows.line} ${rows.more}`}>
                  <span className={rows.cut}>
                    {[row.category.name, row.valid_document?.name].filter(Boolean).join(' · ')}
                  </span>
                  <ScanMark scan={row.file.scan} isShort />
                  {search.state === 'all' && <StatusPill meaning={meaning} label={t(label)} />}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      {data && (data.total > queuePageSize || (search.page ?? 1) > 1) && (
        <PagerBar page={search.page ?? 1} size={queuePageSize} total={data.total} onPage={onPage} />
      )}
    </>
  )
}

type SearchProps = { q: string; field: React.RefObject<HTMLInputElement | null>; onSearch: (q: string) => void }

function Search({ q, field, onSearch }: SearchProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(q)
  const latest = useRef(onSearch)
  useEffect(() => {
    latest.current = onSearch
  })
  useEffect(() => {
    if (text === q || text.length > searchCharsMax) return
    const timer = setTimeout(() => latest.current(text), limits.filterDebounceMs)
    return () => clearTimeout(timer)
  }, [text, q])
  return (
    <TextInput
      ref={field}
      size="xs"
      type="search"
      aria-label={t('Search documents')}
      placeholder={t('Number, name or title')}
      charsMax={searchCharsMax}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
    />
  )
}
