import { limits } from '@atrium/contract/limits.ts'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { IdentityLevel } from '../../ui/feedback/identity-level.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import shared from '../../ui/layout/work-rows.module.css'
import { Amount } from '../../ui/money/amount.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import { isWithProvider, platformShort, stateLabels } from './deposit-labels.ts'
import parts from './deposit-list.module.css'
import type { QueueSearch } from './deposit-queue.ts'
import type { DeskRow } from './use-desk-deposits.ts'

type DepositListProps = {
  rows: DeskRow[] | undefined
  chosen: string | undefined
  search: QueueSearch
  /** Under All the rows differ in state; elsewhere the tab has said it. */
  isStateShown: boolean
  isOld: boolean
}

/** Each row is a link to its deposit, so that it opens in a new tab as links do. */
export function DepositList({ rows, chosen, search, isStateShown, isOld }: DepositListProps) {
  const { t } = useTranslation()
  return (
    <ul
      className={`${shared.list} ${parts.list} ${isOld ? parts.old : ''}`}
      aria-label={t('Deposits')}
      aria-busy={rows === undefined || isOld}
    >
      {rows === undefined && <LoadingSkeleton />}
      {rows?.map((row) => (
        <li key={row._id}>
          <Link
            id={rowId(row._id)}
            to="/deposits/{-$depositId}"
            params={{ depositId: row._id }}
            search={search}
            className={`${shared.row} ${parts.row} ${row._id === chosen ? shared.chosen : ''}`}
            aria-current={row._id === chosen ? 'true' : undefined}
          >
            <Row row={row} isStateShown={isStateShown} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** For the keys: they move the focus along with the choice. */
export const rowId = (id: string) => `deposit-${id}`

function Row({ row, isStateShown }: { row: DeskRow; isStateShown: boolean }) {
  const { t } = useTranslation()
  const { label, meaning, isMoving = false } = stateLabels[row.state]
  const isPaying = row.state === 'pending' && isWithProvider(row.payment_state)
  const isOpen = row.account.live_account && row.state === 'pending'
  const isCounted = row.state === 'pending' && row.approvals_needed > 1
  return (
    <>
      <span className={`${shared.line} ${parts.line}`}>
        <span className={parts.name}>
          <span className={shared.cut}>{row.member.name}</span>
          {!row.account.live_account && <Tag label={t('Demo')} />}
          {row.is_stuck && <StatusPill meaning="red" label={t('Stuck')} />}
          {isPaying && <Tag label={t('Awaiting payment')} />}
          {isCounted && <Tag label={t('{{approvals}} of {{approvals_needed}} approvals', row)} />}
        </span>
        <span className={parts.amount}>
          <Amount amount={row.amount} currency={row.currency} />
        </span>
      </span>
      <span className={`${shared.line} ${parts.line} ${shared.more}`}>
        <span className={parts.facts}>
          <span>{t('T-{{ticket}}', row)}</span>
          <span>{t('No. {{number}}', { number: row.member.customer_number })}</span>
          <span className={shared.cut}>
            {`${platformShort(row.account.platform_type)} ${row.account.platform_login}`}
          </span>
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

const placeholders = Array.from({ length: limits.placeholderRows * 2 }, (_, index) => `placeholder-${index}`)

function LoadingSkeleton() {
  return placeholders.map((placeholder) => (
    <li key={placeholder} className={`${shared.row} ${parts.row}`} aria-hidden>
      <span className={`${shared.line} ${parts.line}`}>
        <Skeleton height={12} width={140} my={4} />
        <Skeleton height={12} width={80} my={4} />
      </span>
      <span className={`${shared.line} ${parts.line} ${shared.more}`}>
        <Skeleton height={10} width={190} my={5} />
        <Skeleton height={10} width={64} my={5} />
      </span>
    </li>
  ))
}
