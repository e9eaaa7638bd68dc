import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useKeyboard, useKeys } from '../../ui/layout/keyboard.tsx'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import work from '../../ui/layout/work-detail.module.css'
import { dayControl } from '../../ui/lists/day-control.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ageLabels } from '../desk-deposits/deposit-labels.ts'
import type { Question } from './use-act-form.ts'
import { ledgerQuery, type WithdrawalsAnswer, withdrawalQuery, withdrawals } from './use-desk-withdrawals.ts'
import { mayApprove, WithdrawalDetail } from './withdrawal-detail.tsx'
import { ledgerLabel, tabLabels } from './withdrawal-labels.ts'
import { WithdrawalLine } from './withdrawal-line.tsx'
import parts from './withdrawals-page.module.css'

const controls: ListControls<typeof withdrawals.list, WithdrawalsAnswer> = {
  q: { label: 'Search withdrawals', placeholder: 'Name, number, amount or reference' },
  from: dayControl,
  order: { label: 'Sort by', labels: ageLabels },
}

/** The queue of withdrawals and the selected one, below any alert of the ledger check. */
export function WithdrawalsPage({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <LedgerAlert />
      <PaneList
        source={withdrawals}
        to="/withdrawals/{-$withdrawalId}"
        param="withdrawalId"
        label={t('Withdrawals')}
        paneLabel={t('Queue')}
        detailLabel={t('Withdrawal')}
        tabs={{ filter: 'state', label: 'Withdrawals by state', labels: tabLabels, counts: countsOf }}
        controls={controls}
        empty={() => (
          <EmptyState
            drawing="list"
            title={t('No withdrawals here')}
            text={t('New withdrawals appear here automatically.')}
          />
        )}
        noMatches="No matches. Numbers, amounts and references are matched as a whole, amounts among the latest 10,000 of the chosen days."
        row={(row, { state }) => <WithdrawalLine row={row} isStateShown={state === 'all'} />}
        detail={(id) => <One key={id} id={id} mayDecide={mayDecide} />}
      />
    </>
  )
}

const countsOf = ({ counts }: WithdrawalsAnswer) => ({
  ...counts,
  all: Object.values(counts).reduce((sum, count) => sum + count, 0),
})

const findingsShown = 5

function LedgerAlert() {
  const { t } = useTranslation()
  const { data, error } = useQuery(ledgerQuery)
  if (!data && error)
    return (
      <div data-pad="sm lg">
        <Callout meaning="amber">
          {t('Whether our ledger and the platforms agree could not be checked. Trying again.')}
        </Callout>
      </div>
    )
  if (!data || data.findings.length === 0) return null
  const shown = data.findings.slice(0, findingsShown)
  const rest = data.findings.length - shown.length
  return (
    <div data-pad="sm lg">
      <Callout meaning="red">
        <strong className={work.noticeTitle}>{t('Our ledger and the platforms do not agree.')}</strong>
        <ul className={parts.findings}>
          {shown.map(({ kind, subject, detail }) => (
            <li key={`${kind}/${subject}`}>
              {t(ledgerLabel(kind))} {'\u00b7'} {t('account {{detail}}', { detail })} {'\u00b7'}{' '}
              {t('tag {{tag}}', { tag: subject })}
            </li>
          ))}
        </ul>
        {rest > 0 && <p data-plain>{t('And {{count}} more.', { count: rest })}</p>}
      </Callout>
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
    { keys: 'a', label: 'Approve, with confirmation', act: () => ask('approve') },
    { keys: 'r', label: 'Reject, with a reason', act: () => ask('reject') },
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
  const { error, refetch } = withdrawal
  const holds = t('No decision was made.')
  return <RecordError {...{ error, holds }} notFound={t('Withdrawal not found')} onRetry={() => refetch()} />
}
