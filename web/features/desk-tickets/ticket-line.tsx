import { Tag } from '../../ui/feedback/status-pill.tsx'
import shared from '../../ui/layout/work-rows.module.css'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-desk.module.css'
import { priorityLabels } from './ticket-labels.ts'
import type { TicketsAnswer } from './use-desk-tickets.ts'

export function TicketLine({ row }: { row: TicketsAnswer['tickets'][number] }) {
  const { t } = useTranslation()
  return (
    <>
      <span className={shared.line}>
        <span className={parts.name}>
          {row.is_unread && (
            <>
              <span className={parts.unread} aria-hidden />
              <span className={parts.hidden}>{t('Unread')}</span>
            </>
          )}
          <span dir="auto" className={shared.cut}>
            {row.subject}
          </span>
        </span>
        <span className={parts.side}>
          {row.priority !== 'low' && <Tag label={t(priorityLabels[row.priority])} isStrong={row.priority === 'high'} />}
        </span>
      </span>
      <span className={`${shared.line} ${shared.more}`}>
        <span dir="auto" className={shared.cut}>
          {t('#{{ticket}}', row)} <bdi>{row.member.name}</bdi>{' '}
          {t('No. {{number}}', { number: row.member.customer_number })}
          {row.taken_by && (
            <>
              {' \u00b7 '}
              <bdi>{row.taken_by.name}</bdi>
            </>
          )}
        </span>
        <span className={parts.side}>
          {row.waits && row.state !== 'resolved' && row.state !== 'closed' && <Tag label={t('Waiting')} />}
          <Ago at={row.state_since} />
        </span>
      </span>
    </>
  )
}
