import { EmptyState } from '../../ui/feedback/state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { dayControl } from '../../ui/lists/day-control.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { kindLabels } from './payment-labels.ts'
import { type WebhookEventsAnswer, webhookEvents } from './use-payments.ts'
import { WebhookEventRow } from './webhook-event-row.tsx'

const controls: ListControls<typeof webhookEvents.list, WebhookEventsAnswer> = {
  q: { label: 'Number', placeholder: 'Our or the provider’s number' },
  provider: {
    label: 'Provider',
    all: 'Any provider',
    from: ({ providers }) => providers.map(({ app_uid, name }) => ({ _id: app_uid, name })),
  },
  kind: { label: 'Verdict', all: 'Any verdict', labels: kindLabels },
  since: ({ search: { since: from, until: to }, change }) =>
    dayControl({ search: { from, to }, change: ({ from, to }) => change({ since: from, until: to }) }),
}

/** All webhook events received from any sender, newest first. */
export function WebhookEventsList({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  return (
    <DataList
      source={webhookEvents}
      to="/payments/{-$part}"
      params={{ part: 'notifications' }}
      label={t('Webhook events')}
      isPart
      controls={controls}
      counted={{ all: 'Webhook events: {{shown}}', more: '{{shown}}+ webhook events' }}
      turns="times"
      empty={
        <EmptyState
          drawing="list"
          title={t('No webhook events yet')}
          text={t('New entries appear here automatically.')}
        />
      }
      row={(row) => <WebhookEventRow webhookEvent={row} mayDecide={mayDecide} />}
    />
  )
}
