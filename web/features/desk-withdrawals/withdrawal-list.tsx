import { openStates } from '@atrium/contract/funding/states.ts'
import type { DeskWithdrawalRow } from '@atrium/contract/withdrawals/desk-calls.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { IdentityLevel } from '../../ui/feedback/identity-level.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import shared from '../../ui/layout/work-rows.module.css'
import { Amount } from '../../ui/money/amount.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import parts from './withdrawal-desk.module.css'
import { stateLabels } from './withdrawal-labels.ts'
import type { WithdrawalSearch } from './withdrawal-queue.ts'

type ListProps = {
  rows: DeskWithdrawalRow[]
  chosen: string | undefined
  search: WithdrawalSearch
  isStateShown: boolean
}

/** Each row is a link to its withdrawal, so that it opens in a new tab as links do. */
export function WithdrawalList({ rows, chosen, search, isStateShown }: ListProps) {
  const { t } = useTranslation()
  return (
    <ul className={shared.list} aria-label={t('Withdrawals')}>
      {rows.map((row) => (
        <li key={row._id}>
          <Link
            to="/withdrawals/{-$withdrawalId}"
            params={{ withdrawalId: row._id }}
            search={search}
            className={`${shared.row} ${row._id === chosen ? shared.chosen : ''}`}
            aria-current={row._id === chosen ? 'true' : undefined}
          >
            <Row row={row} isStateShown={isStateShown} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Row({ row, isStateShown }: { row: DeskWithdrawalRow; isStateShown: boolean }) {
  const { t } = useTranslation()
  const { label, meaning, isMoving = false } = stateLabels[row.state]
  const isOpen = row.account.live_account && openStates.some((state) => state === row.state)
  const isHalf = row.state === 'pending' && row.approvals_needed > 1
  return (
    <>
      <span className={shared.line}>
        <span className={parts.name}>
          <span className={shared.cut}>{row.member.name}</span>
          {!row.account.live_account && <Tag label={t('Demo')} />}
          {row.is_stuck && <StatusPill meaning="red" label={t('Stuck')} />}
          {isHalf && <Tag label={t('{{approvals}} of {{approvals_needed}} approvals', row)} />}
        </span>
        <span className={parts.rowAmount}>
          <Amount amount={row.amount} currency={row.currency} />
        </span>
      </span>
      <span className={`${shared.line} ${shared.more}`}>
        <span className={shared.cut}>
          {t('T-{{ticket}}', row)} {t('No. {{number}}', { number: row.member.customer_number })}{' '}
          {`${row.account.platform_type.toUpperCase()} ${row.account.platform_login}`}
        </span>
        <span className={parts.state}>
          {isOpen && <IdentityLevel status={row.member.documents_status} />}
          {isStateShown && <StatusPill meaning={meaning} label={t(label)} isMoving={isMoving} />}
          <Ago at={row.created_at} />
        </span>
      </span>
    </>
  )
}
