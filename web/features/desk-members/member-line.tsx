import { identityLabels, memberLabels } from '../../ui/feedback/identity-labels.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import rows from '../../ui/layout/work-rows.module.css'
import { day } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './member-line.module.css'
import type { MemberRow } from './use-members.ts'

export function MemberLine({ row }: { row: MemberRow }) {
  const { t } = useTranslation()
  const status = row.status === 'active' ? identityLabels[row.documents_status] : memberLabels[row.status]
  return (
    <>
      <span className={rows.line}>
        <bdi className={`${rows.cut} ${parts.name}`}>{row.name}</bdi>
        <StatusPill meaning={status.meaning} label={t(status.label)} />
      </span>
      <span className={rows.line}>
        <span dir="auto" className={rows.cut}>
          {t('No. {{number}}', { number: row.customer_number })} {'·'} {row.email}
        </span>
        <span className={parts.joined}>{day(row.created_at)}</span>
      </span>
    </>
  )
}
