import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type FormEvent, type Ref, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { saveTable } from '../../api/save-table.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { DaySpanFields } from '../../ui/fields/day-span-fields.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { bringIntoView } from '../../ui/layout/bring-into-view.ts'
import { useKeyboard, useKeys } from '../../ui/layout/keyboard.tsx'
import { Panes } from '../../ui/layout/panes.tsx'
import { useIsPhone, useIsWide } from '../../ui/layout/use-is-phone.ts'
import work from '../../ui/layout/work-detail.module.css'
import { countShown } from '../../ui/lists/count-shown.ts'
import { TableButton } from '../../ui/lists/filter-bar.tsx'
import { PagerBar } from '../../ui/lists/pager-bar.tsx'
import shared from '../../ui/lists/tabs.module.css'
import { useFirstRow } from '../../ui/lists/use-first-row.ts'
import { withSearch } from '../desk-deposits/deposit-queue.ts'
import type { Question } from './act-dialog.tsx'
import { ledgerQuery, withdrawalQuery, withdrawalsQuery } from './use-desk-withdrawals.ts'
import parts from './withdrawal-desk.module.css'
import { mayApprove, WithdrawalDetail } from './withdrawal-detail.tsx'
import { tabLabels } from './withdrawal-labels.ts'
import { WithdrawalList } from './withdrawal-list.tsx'
import {
  readWithdrawalSearch,
  rowBeside,
  toSearch,
  toTableInput,
  viewOfSearch,
  type WithdrawalView,
  withdrawalPageSize,
  withdrawalSearchCharsMax,
  withdrawalTabs,
} from './withdrawal-queue.ts'

/** The queue of withdrawals and the one that is looked at, with what the check of the books has found above them. */
export function WithdrawalDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const view = viewOfSearch(readWithdrawalSearch(useSearch({ strict: false })))
  const { withdrawalId } = useParams({ strict: false }) as { withdrawalId?: string }
  const list = useQuery(withdrawalsQuery(view))
  const rows = list.data?.tab === view.tab ? list.data.withdrawals : undefined
  const firstId = useFirstRow({ name: JSON.stringify(view), rows, isOld: list.isPlaceholderData })
  const shownId = withdrawalId ?? (isWide ? firstId : undefined)
  const navigate = useNavigate()
  const searchField = useRef<HTMLInputElement>(null)
  const move = (step: 1 | -1) => {
    const ids = rows?.map(({ _id }) => _id) ?? []
    const id = rowBeside(ids, shownId, step)
    if (id !== undefined && id !== shownId)
      navigate({
        to: '/withdrawals/{-$withdrawalId}',
        params: { withdrawalId: id },
        search: toSearch(view),
        replace: withdrawalId !== undefined,
      })
  }
  useKeys(t('Withdrawals'), [
    { keys: 'j', words: 'Next withdrawal', mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: 'Previous withdrawal', mayRepeat: true, act: () => move(-1) },
    { keys: '/', words: 'Search', act: () => searchField.current?.focus() },
  ])
  return (
    <>
      <LedgerAlert />
      <Panes
        bar={<Bar view={view} counts={list.data?.counts} searchField={searchField} />}
        listLabel={t('Queue')}
        list={<Queue view={view} list={list} chosen={shownId} />}
        detailLabel={t('Withdrawal')}
        detailOf={shownId}
        detail={
          <>
            {!isWide && <Back view={view} />}
            {shownId && <One key={shownId} id={shownId} mayDecide={mayDecide} />}
          </>
        }
      />
    </>
  )
}

function LedgerAlert() {
  const { t } = useTranslation()
  const { data } = useQuery(ledgerQuery)
  if (!data || data.findings.length === 0) return null
  return (
    <div className={parts.alert}>
      <Callout meaning="red">
        <strong className={work.noticeTitle}>{t('Our ledger and the platforms do not agree.')}</strong>
        <ul className={parts.findings}>
          {data.findings.slice(0, 5).map(({ kind, subject, detail }) => (
            <li key={`${kind}/${subject}`}>{`${kind} \u00b7 ${subject} \u00b7 ${detail}`}</li>
          ))}
        </ul>
      </Callout>
    </div>
  )
}

type Counts = Partial<Record<string, number>>

type SearchProps = { view: WithdrawalView; searchField: Ref<HTMLInputElement> }

function Bar({ view, counts, searchField }: SearchProps & { counts: Counts | undefined }) {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const go = (next: WithdrawalView) =>
    navigate({
      to: '/withdrawals/{-$withdrawalId}',
      params: { withdrawalId: undefined },
      search: toSearch(next),
      replace: true,
    })
  const countOf = (tab: string) =>
    tab === 'all'
      ? Object.values(counts ?? {}).reduce<number>((sum, count) => sum + (count ?? 0), 0)
      : (counts?.[tab] ?? 0)
  return (
    <>
      <nav className={`${shared.tabs} ${parts.bar}`} aria-label={t('Withdrawals by state')}>
        {withdrawalTabs.map((tab) => (
          <Link
            key={tab}
            ref={tab === view.tab ? bringIntoView : undefined}
            to="/withdrawals/{-$withdrawalId}"
            params={{ withdrawalId: undefined }}
            search={toSearch({ ...view, tab, page: 1 })}
            className={`${shared.tab} ${tab === view.tab ? shared.here : ''}`}
            aria-current={tab === view.tab ? 'page' : undefined}
          >
            {t(tabLabels[tab])}
            <span className={shared.count}>{counts ? countShown(countOf(tab), i18n.language) : '\u2007'}</span>
          </Link>
        ))}
      </nav>
      <Search key={view.q} view={view} searchField={searchField} />
      <DaySpanFields span={view} onChange={(span) => go({ tab: view.tab, q: view.q, page: 1, ...span })} />
      <TableButton
        save={(tell) => saveTable('/desk/api/withdrawals/table', toTableInput(view), 'withdrawals.csv', tell)}
      />
    </>
  )
}

function Search({ view, searchField }: SearchProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [q, setQ] = useState(view.q)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (q.length > withdrawalSearchCharsMax) return
    navigate({
      to: '/withdrawals/{-$withdrawalId}',
      params: { withdrawalId: undefined },
      search: toSearch(withSearch(view, q.trim())),
      replace: true,
    })
  }
  return (
    <search className={parts.search}>
      <form onSubmit={submit}>
        <TextInput
          ref={searchField}
          size="sm"
          aria-label={t('Search withdrawals')}
          placeholder={t('Name, number, amount or reference')}
          charsMax={withdrawalSearchCharsMax}
          value={q}
          onChange={(event) => setQ(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}

type QueueProps = {
  view: WithdrawalView
  list: ReturnType<typeof useQuery<Awaited<ReturnType<NonNullable<ReturnType<typeof withdrawalsQuery>['queryFn']>>>>>
  chosen: string | undefined
}

function Queue({ view, list, chosen }: QueueProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  if (list.isError && !list.data)
    return <ErrorState error={list.error} holds={t('No decision was made.')} onRetry={() => list.refetch()} />
  if (list.data?.tab !== view.tab) return <FormSkeleton label={t('Loading')} />
  const { withdrawals, total } = list.data
  const isNarrowed = view.q !== '' || view.from !== undefined || view.to !== undefined
  return (
    <>
      <div className={parts.rows}>
        {withdrawals.length === 0 ? (
          <EmptyState
            drawing="list"
            title={isNarrowed ? t(texts.noResults) : t('No withdrawals here')}
            text={
              isNarrowed
                ? t(
                    'No matches. Numbers, amounts and references are matched as a whole, amounts among the latest 10,000 of the chosen days.',
                  )
                : t('New withdrawals appear here automatically.')
            }
          />
        ) : (
          <WithdrawalList
            rows={withdrawals}
            chosen={chosen}
            search={toSearch(view)}
            isStateShown={view.tab === 'all'}
          />
        )}
      </div>
      {(total > withdrawalPageSize || view.page > 1) && (
        <PagerBar
          page={view.page}
          size={withdrawalPageSize}
          total={total}
          isLeast={total >= limits.countedMax || list.data.total_is_least === true}
          onPage={(page) =>
            navigate({
              to: '/withdrawals/{-$withdrawalId}',
              params: { withdrawalId: undefined },
              search: toSearch({ ...view, page }),
            })
          }
        />
      )}
    </>
  )
}

function Back({ view }: { view: WithdrawalView }) {
  const { t } = useTranslation()
  return (
    <div className={parts.back}>
      <BackLink to="/withdrawals/{-$withdrawalId}" params={{ withdrawalId: undefined }} search={toSearch(view)}>
        {t('Back to the list')}
      </BackLink>
    </div>
  )
}

function One({ id, mayDecide }: { id: string; mayDecide: boolean }) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const { areOn: areKeysOn } = useKeyboard()
  const withdrawal = useQuery(withdrawalQuery(id))
  const [question, setQuestion] = useState<Question | null>(null)
  const ask = (kind: 'approve' | 'reject') => {
    if (!mayDecide || withdrawal.data?.state !== 'pending') return
    if (withdrawal.data.is_own) return
    if (kind === 'reject' || mayApprove(withdrawal.data)) setQuestion(kind)
  }
  useKeys(t('Withdrawal'), [
    { keys: 'a', words: 'Approve (asks first)', act: () => ask('approve') },
    { keys: 'r', words: 'Reject, with a reason', act: () => ask('reject') },
  ])
  if (withdrawal.data)
    return (
      <WithdrawalDetail
        withdrawal={withdrawal.data}
        mayDecide={mayDecide}
        question={question}
        onAsk={setQuestion}
        onClose={() => setQuestion(null)}
        areKeysShown={areKeysOn && !isPhone}
      />
    )
  if (!withdrawal.isError) return <FormSkeleton label={t('Loading')} />
  const isGone = withdrawal.error instanceof ApiError && [404, 422].includes(withdrawal.error.status)
  if (isGone)
    return (
      <EmptyState drawing="search" title={t('There is no such withdrawal')} text={t('The address may be wrong.')} />
    )
  return <ErrorState error={withdrawal.error} holds={t('No decision was made.')} onRetry={() => withdrawal.refetch()} />
}
