import { Modal, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './ticket-desk.module.css'
import { describeSpan } from './ticket-labels.ts'
import { ticketMetricsQuery } from './use-desk-tickets.ts'

const spans = ['7', '30', '90'] as const

/** Response times over the last days. */
export function TicketMetricsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [days, setDays] = useState<(typeof spans)[number]>('30')
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={640}
      title={t('Response times')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={parts.form} data-stack="lg">
        <SegmentedControl
          size="xs"
          aria-label={t('Period')}
          value={days}
          onChange={(value) => setDays(spans.find((span) => span === value) ?? '30')}
          data={spans.map((value) => ({ value, label: t('{{days}} days', { days: value }) }))}
        />
        {isOpen && <TicketMetrics days={days} />}
      </div>
    </Modal>
  )
}

function TicketMetrics({ days }: { days: (typeof spans)[number] }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(ticketMetricsQuery(days))
  if (!data)
    return error ? <ErrorState error={error} onRetry={() => refetch()} /> : <FormSkeleton label={t('Loading')} />
  const shown: [name: string, value: string | number][] = [
    ['Created', data.created],
    ['Answered', data.answered],
    ['Resolved', data.resolved],
    ['Median first reply', describeSpan(data.first_answer_median)],
    ['First reply, 90th percentile', describeSpan(data.first_answer_p90)],
    ['Median resolution', describeSpan(data.resolution_median)],
  ]
  return (
    <>
      <dl className={parts.metrics}>
        {shown.map(([name, value]) => (
          <div key={name} className={parts.metric}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        {t('Not answered yet: {{count}}', { count: data.unanswered })}{' '}
        {data.oldest_unanswered_at !== null && (
          <>
            {t('The oldest since')} <Ago at={data.oldest_unanswered_at} />
          </>
        )}
      </p>
      <ul className={parts.list} data-stack="sm" aria-label={t('By colleague')}>
        {data.by_colleague.map(({ _id, name, messages, tickets }) => (
          <li key={_id}>
            <span>{name}</span>
            <span>{t('Replies: {{messages}}, tickets: {{tickets}}', { messages, tickets })}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
