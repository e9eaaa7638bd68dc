import { useTranslation } from 'react-i18next'
import { identityWords } from '../../ui/feedback/identity-words.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import rows from '../../ui/layout/work-rows.module.css'
import { day } from '../../ui/text/format.ts'
import parts from './member-line.module.css'
import { statusWords } from './member-words.ts'
import type { MemberRow } from './use-members.ts'

export function MemberLine({ row }: { row: MemberRow }) {
  const { t } = useTranslation()
  const status = row.status === 'active' ? identityWords[row.documents_status] : statusWords[row.status]
  return (
    <>
      <span className={rows.line}>
        <bdi className={`${rows.cut} ${parts.name}`}>{row.name}</bdi>
        <StatusPill meaning={status.meaning} label={t(status.label)} />
      </span>
      <span className={`${rows.line} ${parts.more}`}>
        <span className={rows.cut}>
          {t('No. {{number}}', { number: row.customer_number })} {'·'} {row.email}
        </span>
        <span className={parts.joined}>{day(row.created_at)}</span>
      </span>
    </>
  )
}
