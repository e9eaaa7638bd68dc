import { type Column, OpenLink } from '../../ui/lists/data-table.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { priorityLabels } from './ticket-labels.ts'
import parts from './ticket-parts.module.css'
import type { TicketRow } from './use-tickets.ts'

/** Unread staff answers are marked. `open`: the address of a ticket. */
export function useTicketColumns(open: (row: TicketRow) => { to: '/support'; search: never }): Column<TicketRow>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'ticket',
      header: t('Ticket Number'),
      width: '18%',
      skeletonWidth: 60,
      render: (row) => (
        <OpenLink {...open(row)} aria-label={t('Open ticket {{ticket}}', row)}>
          {row.ticket}
        </OpenLink>
      ),
    },
    {
      key: 'subject',
      header: t('Subject'),
      onPhone: 'top',
      width: '42%',
      skeletonWidth: 240,
      render: (row) => (
        <span className={parts.subject}>
          {row.is_unread && (
            <>
              <span className={parts.unread} aria-hidden />
              <span className={parts.hidden}>{t('Unread')}</span>
            </>
          )}
          {row.is_unread ? <strong>{row.subject}</strong> : row.subject}
        </span>
      ),
    },
    {
      key: 'created',
      header: t('Created'),
      skeletonWidth: 80,
      render: ({ created_at }) => <Ago at={created_at} />,
    },
    {
      key: 'last reply',
      header: t('Last reply'),
      skeletonWidth: 80,
      render: ({ last_reply_at }) => (last_reply_at ? <Ago at={last_reply_at} /> : t('None yet')),
    },
    {
      key: 'priority',
      header: t('Priority'),
      skeletonWidth: 48,
      render: ({ priority }) => t(priorityLabels[priority] ?? priority),
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'right',
      onPhone: 'hidden',
      skeletonWidth: 48,
      render: (row) => (
        <OpenLink {...open(row)} aria-label={t('View ticket {{ticket}}', row)}>
          {t('View')}
        </OpenLink>
      ),
    },
  ]
}
