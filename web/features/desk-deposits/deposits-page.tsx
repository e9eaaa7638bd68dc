import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNotApprove } from '../../ui/feedback/approvals-notice.tsx'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { useKeyboard, useKeys } from '../../ui/layout/keyboard.tsx'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { dayControl } from '../../ui/lists/day-control.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { rowIdOf } from '../../ui/lists/use-selection.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DecisionDialogs, type Question } from './decision-dialogs.tsx'
import { DepositDetail } from './deposit-detail.tsx'
import { ageLabels, emptyTexts, isDecidedHere, tabLabels } from './deposit-labels.ts'
import { DepositLine } from './deposit-line.tsx'
import { depositsOutline } from './deposits-outline.ts'
import { DetailSkeleton } from './detail-skeleton.tsx'
import { type DepositsAnswer, type DeskDeposit, depositQuery, deposits } from './use-desk-deposits.ts'

const controls: ListControls<typeof deposits.list, DepositsAnswer> = {
  q: { label: 'Search deposits', placeholder: depositsOutline.search },
  from: dayControl,
  order: { label: 'Sort by', labels: ageLabels },
}

/** The queue of deposits and the selected deposit. */
export function DepositsPage({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [question, setQuestion] = useState<(Question & { proceed: () => void }) | null>(null)
  const [overtakenId, setOvertakenId] = useState<string>()
  const close = () => setQuestion((asked) => asked && { ...asked, isOpen: false })
  const decided = (id: string) => {
    close()
    // After the first of two approvals the deposit stays in the queue.
    if (queryClient.getQueryData(depositQuery(id).queryKey)?.state !== 'pending') question?.proceed()
  }
  // The element that had the focus may have left the page with its deposit.
  const takeFocusBack = () => {
    const chosen = document.querySelector<HTMLElement>(`[id^="${rowIdOf('')}"][aria-current]`)
    if (document.activeElement === document.body) chosen?.focus()
  }
  return (
    <>
      <PaneList
        source={deposits}
        to="/deposits/{-$depositId}"
        param="depositId"
        label={t('Deposits')}
        paneLabel={t('Queue')}
        detailLabel={t('Deposit')}
        tabs={{ filter: 'state', label: 'Deposits by state', labels: tabLabels, counts: countsOf }}
        controls={controls}
        empty={({ state = 'pending' }) => {
          const { title, text } = emptyTexts[state] ?? emptyTexts.all
          return <EmptyState drawing="list" title={t(title)} text={t(text)} />
        }}
        noMatches="No matches. Numbers, amounts and references are matched as a whole, amounts among the latest 10,000 of the chosen days."
        row={(row, { state }) => <DepositLine row={row} isStateShown={state === 'all'} />}
        detail={(id, proceed) => (
          <OneDeposit
            id={id}
            isOvertaken={overtakenId === id}
            onAsk={
              mayDecide
                ? (kind, deposit) =>
                    setQuestion((last) => ({ kind, deposit, proceed, isOpen: true, turn: (last?.turn ?? 0) + 1 }))
                : null
            }
          />
        )}
      />
      <DecisionDialogs
        question={question}
        onClose={close}
        onGone={takeFocusBack}
        onDecided={decided}
        onOvertaken={setOvertakenId}
      />
    </>
  )
}

const countsOf = ({ counts }: DepositsAnswer) => ({
  ...counts,
  all: Object.values(counts).reduce((sum, count) => sum + count, 0),
})

type OneDepositProps = {
  id: string
  isOvertaken: boolean
  /** Null for roles that cannot decide. */
  onAsk: ((kind: Question['kind'], deposit: DeskDeposit) => void) | null
}

function OneDeposit({ id, isOvertaken, onAsk }: OneDepositProps) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const { areOn: areKeysOn } = useKeyboard()
  const { data: deposit, error, refetch } = useQuery(depositQuery(id))
  const ask = (kind: Question['kind']) => () => {
    if (!deposit || !isDecidedHere(deposit) || deposit.is_own) return
    if (kind === 'reject' || whyNotApprove(deposit) === null) onAsk?.(kind, deposit)
  }
  const [approve, reject] = [ask('approve'), ask('reject')]
  useKeys(t('Deposit'), [
    { keys: 'a', label: 'Approve, with confirmation', act: approve },
    { keys: 'r', label: 'Reject, with a reason', act: reject },
  ])
  if (deposit)
    return (
      <DepositDetail
        {...{ deposit, isOvertaken }}
        areKeysShown={areKeysOn && !isPhone}
        onDecide={onAsk && { approve, reject }}
      />
    )
  if (!error) return <DetailSkeleton />
  const holds = t('No decision was made.')
  return <RecordError {...{ error, holds }} notFound={t('Deposit not found')} onRetry={() => refetch()} />
}
