import type { deskDepositListRow } from '@atrium/contract/deposits/desk-calls.ts'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { IdentityLevel } from '../feedback/identity-level.tsx'
import { StatusPill, Tag } from '../feedback/status-pill.tsx'
import shared from '../layout/work-rows.module.css'
import { Ago } from '../text/moment.tsx'
import { platformName } from '../text/platform-names.ts'
import { useTranslation } from '../text/use-translation.ts'
import { Amount } from './amount.tsx'
import type { StateLabel } from './transaction-states.ts'

type TransactionLineProps = {
  row: z.output<typeof deskDepositListRow>
  /** Null where all rows have the state that the tab names. */
  state: StateLabel | null
  isIdentityShown: boolean
  children?: ReactNode
}

/** A row of the queues of deposits and of withdrawals. */
export function TransactionLine({ row, state, isIdentityShown, children }: TransactionLineProps) {
  const { t } = useTranslation()
  const { member, account } = row
  return (
    <>
      <span className={shared.line}>
        <span className={shared.name}>
          <span dir="auto" className={shared.cut}>
            {member.name}
          </span>
          {!account.live_account && <Tag label={t('Demo')} />}
          {row.is_stuck && <StatusPill meaning="red" label={t('Stuck')} />}
          {children}
          {row.state === 'pending' && row.approvals_needed > 1 && (
            <Tag label={t('{{approvals}} of {{approvals_needed}} approvals', row)} />
          )}
        </span>
        <span className={shared.amount}>
          <Amount amount={row.amount} currency={row.currency} />
        </span>
      </span>
      <span className={`${shared.line} ${shared.more}`}>
        <span dir="auto" className={shared.cut}>
          {t('T-{{ticket}}', row)} {t('No. {{number}}', { number: member.customer_number })}{' '}
          {`${platformName(account.platform_type)} ${account.platform_login}`}
        </span>
        <span className={shared.state}>
          {isIdentityShown && account.live_account && <IdentityLevel status={member.documents_status} />}
          {state && <StatusPill meaning={state.meaning} label={t(state.label)} isMoving={state.isMoving} />}
          <Ago at={row.created_at} />
        </span>
      </span>
    </>
  )
}
