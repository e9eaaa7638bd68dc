import { IdentityLevel } from '../../ui/feedback/identity-level.tsx'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import shared from '../../ui/layout/work-rows.module.css'
import { Amount } from '../../ui/money/amount.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { isWithProvider, stateLabels } from './deposit-labels.ts'
import type { DeskRow } from './use-desk-deposits.ts'

/** `isStateShown`: true in the All tab, where states differ; the other tabs name the state. */
export function DepositLine({ row, isStateShown }: { row: DeskRow; isStateShown: boolean }) {
  const { t } = useTranslation()
  const { label, meaning, isMoving = false } = stateLabels[row.state]
  const isPaying = row.state === 'pending' && isWithProvider(row.payment_state)
  const isOpen = row.account.live_account && row.state === 'pending'
  const isCounted = row.state === 'pending' && row.approvals_needed > 1
  return (
    <>
      <span className={shared.line}>
        <span className={shared.name}>
          <span className={shared.cut}>{row.member.name}</span>
          {!row.account.live_account && <Tag label={t('Demo')} />}
          {row.is_stuck && <StatusPill meaning="red" label={t('Stuck')} />}
          {isPaying && <Tag label={t('Awaiting payment')} />}
          {isCounted && <Tag label={t('{{approvals}} of {{approvals_needed}} approvals', row)} />}
        </span>
        <span className={shared.figure}>
          <Amount amount={row.amount} currency={row.currency} />
        </span>
      </span>
      <span className={`${shared.line} ${shared.more}`}>
        <span className={shared.cut}>
          {t('T-{{ticket}}', row)} {t('No. {{number}}', { number: row.member.customer_number })}{' '}
          {`${row.account.platform_type.toUpperCase()} ${row.account.platform_login}`}
        </span>
        <span className={shared.state}>
          {isOpen && <IdentityLevel status={row.member.documents_status} />}
          {isStateShown && <StatusPill meaning={meaning} label={t(label)} isMoving={isMoving} />}
          <Ago at={row.created_at} />
        </span>
      </span>
    </>
  )
}
