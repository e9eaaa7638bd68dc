import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { whyNotApprove } from '../../ui/feedback/approvals-notice.tsx'
import { DaySpanFields } from '../../ui/fields/day-span-fields.tsx'
import { useKeyboard, useKeys } from '../../ui/layout/keyboard.tsx'
import { Panes } from '../../ui/layout/panes.tsx'
import { useIsPhone, useIsWide } from '../../ui/layout/use-is-phone.ts'
import { TableButton } from '../../ui/lists/filter-bar.tsx'
import { DecisionDialogs, type Question } from './decision-dialogs.tsx'
import { rowId } from './deposit-list.tsx'
import { neighbour, nextAfterDecision, tableInput, withSearch } from './deposit-queue.ts'
import { DetailPane } from './detail-pane.tsx'
import { QueuePane } from './queue-pane.tsx'
import { QueueSearch } from './queue-search.tsx'
import { QueueTabs } from './queue-tabs.tsx'
import { useDepositQueue } from './use-deposit-queue.ts'
import { depositQuery } from './use-desk-deposits.ts'
import { useQueuePlace } from './use-queue-place.ts'

/** The queue of deposits and the one that is looked at: side by side where there is room, one after the other elsewhere. */
export function DepositDesk({ mayDecide }: { mayDecide: boolean }) {
  const isWide = useIsWide()
  const isPhone = useIsPhone()
  const place = useQueuePlace()
  const { view, depositId, open } = place
  const queue = useDepositQueue(place, isWide)
  const queryClient = useQueryClient()
  const searchField = useRef<HTMLInputElement>(null)
  const { t } = useTranslation()
  const { areOn: areKeysOn } = useKeyboard()
  const [question, setQuestion] = useState<Question | null>(null)
  const [overtakenId, setOvertakenId] = useState<string>()
  const ids = queue.rows?.map(({ _id }) => _id) ?? []

  const move = (step: 1 | -1) => {
    const id = neighbour(ids, depositId, step, queue.lastIndex.current)
    if (!id || id === depositId) return
    open(id, view, { isReplacing: depositId !== undefined })
    const row = document.getElementById(rowId(id))
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const ask = (kind: Question['kind']) => {
    const deposit = depositId === undefined ? undefined : queryClient.getQueryData(depositQuery(depositId).queryKey)
    if (!mayDecide || deposit?.state !== 'pending' || deposit.is_own) return
    if (kind === 'reject' || whyNotApprove(deposit) === null)
      setQuestion((last) => ({ kind, deposit, isOpen: true, turn: (last?.turn ?? 0) + 1 }))
  }
  useKeys(t('Deposits'), [
    { keys: 'j', words: 'Next deposit', mayRepeat: true, act: () => move(1) },
    { keys: 'k', words: 'Previous deposit', mayRepeat: true, act: () => move(-1) },
    { keys: 'a', words: 'Approve (asks first)', act: () => ask('approve') },
    { keys: 'r', words: 'Reject, with a reason', act: () => ask('reject') },
    { keys: '/', words: 'Search', act: () => searchField.current?.focus() },
  ])

  const close = () => setQuestion((asked) => asked && { ...asked, isOpen: false })
  // A dialog that has faded calls back with what it knew when it began to.
  const latestId = useRef(depositId)
  useEffect(() => {
    latestId.current = depositId
  })
  // What had the focus before the question may be gone with the deposit that it was about.
  const takeFocusBack = () => {
    if (document.activeElement === document.body && latestId.current)
      document.getElementById(rowId(latestId.current))?.focus()
  }
  const proceed = (decidedId: string) => {
    close()
    // After the first of two approvals it stays in the queue, and says what it waits for.
    if (queryClient.getQueryData(depositQuery(decidedId).queryKey)?.state === 'pending') return
    open(nextAfterDecision(ids, decidedId), view, { isReplacing: true })
  }
  const name = JSON.stringify(view)
  const search = useCallback(
    (q: string) => {
      open(undefined, withSearch(JSON.parse(name), q), { isReplacing: true })
    },
    [open, name],
  )

  return (
    <>
      <Panes
        bar={
          <>
            <QueueTabs view={view} counts={queue.list.data?.counts} />
            <QueueSearch q={view.q} onSearch={search} field={searchField} isKeyShown={areKeysOn && !isPhone} />
            <DaySpanFields
              span={view}
              onChange={(span) =>
                open(undefined, { tab: view.tab, q: view.q, page: 1, ...span }, { isReplacing: true })
              }
            />
            <TableButton
              save={(tell) => saveTable('/desk/api/deposits/table', tableInput(view), 'deposits.csv', tell)}
            />
          </>
        }
        listLabel={t('Queue')}
        list={<QueuePane place={place} queue={queue} />}
        detailLabel={t('Deposit')}
        detailOf={depositId}
        detail={
          <DetailPane
            key={depositId}
            depositId={depositId}
            view={view}
            isAlone={!isWide}
            isFirstComing={queue.rows?.length !== 0 && !queue.list.isError}
            isOvertaken={overtakenId === depositId}
            areKeysShown={areKeysOn && !isPhone}
            onDecide={mayDecide ? { approve: () => ask('approve'), reject: () => ask('reject') } : null}
          />
        }
      />
      <DecisionDialogs
        question={question}
        onClose={close}
        onGone={takeFocusBack}
        onDecided={proceed}
        onOvertaken={setOvertakenId}
      />
    </>
  )
}
