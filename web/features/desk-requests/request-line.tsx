import type { DeskRequestRow } from '@atrium/contract/requests/desk-calls.ts'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import shared from '../../ui/layout/work-rows.module.css'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { priorityLabels } from './request-labels.ts'
import parts from './requests.module.css'

export function RequestLine({ row }: { row: DeskRequestRow }) {
  const { t } = useTranslation()
  return (
    <>
      <span className={shared.line}>
        <span dir="auto" className={`${shared.cut} ${parts.strong}`}>
          {row.subject}
        </span>
        {row.priority !== 'low' && (
          <span className={parts.side}>
            <Tag label={t(priorityLabels[row.priority])} isStrong={row.priority === 'high'} />
          </span>
        )}
      </span>
      <span className={`${shared.line} ${shared.more}`}>
        <span dir="auto" className={shared.cut}>
          {t('#{{number}}', row)} <bdi>{row.member.name}</bdi>{' '}
          {t('No. {{number}}', { number: row.member.customer_number })}
          {row.assigned && (
            <>
              {' \u00b7 '}
              <bdi>{row.assigned.name}</bdi>
            </>
          )}
        </span>
        <span className={parts.side}>
          <Ago at={row.status_since} />
        </span>
      </span>
    </>
  )
}
