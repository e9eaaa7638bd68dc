import type { DeskDocument } from '@atrium/contract/documents/desk-calls.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import rows from '../../ui/layout/work-rows.module.css'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { statusLabels } from './document-labels.ts'

/** `isStateShown`: true in the All tab, where states differ; the other tabs name the state. */
export function DocumentLine({ row, isStateShown }: { row: DeskDocument; isStateShown: boolean }) {
  const { t } = useTranslation()
  const { meaning = 'grey', label = row.status } = statusLabels[row.status] ?? {}
  return (
    <>
      <span className={rows.line}>
        <span dir="auto" className={rows.cut}>
          {row.member.name}
        </span>
        <Ago at={row.created_at} />
      </span>
      <span className={`${rows.line} ${rows.more}`}>
        <span dir="auto" className={rows.cut}>
          {[row.category.name, row.valid_document?.name].filter(Boolean).join(' · ')}
        </span>
        <ScanMark scan={row.file.scan} isShort />
        {isStateShown && <StatusPill meaning={meaning} label={t(label)} />}
      </span>
    </>
  )
}
