import { useParams } from '@tanstack/react-router'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { Tabs } from '../../ui/lists/tabs.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ExceptionsList } from './exceptions-list.tsx'
import { WebhookEventsList } from './webhook-events-list.tsx'

const tabs = [
  { name: 'waiting', label: 'To be decided' },
  { name: 'decided', label: 'Decided' },
  { name: 'notifications', label: 'Webhook events' },
] as const

/** The providers' webhook events and the payment exceptions. */
export function PaymentsPage({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const { part } = useParams({ strict: false }) as { part?: string }
  const chosen = tabs.find(({ name }) => name === part) ?? tabs[0]
  return (
    <WorkPage help={t('Payments that need a decision, and every message from providers.')}>
      <Tabs
        isWide
        label={t('Sections')}
        tabs={tabs}
        chosen={chosen.name}
        placeOf={(part) => ({ to: '/payments/{-$part}', params: { part } as never })}
      />
      {chosen.name === 'notifications' ? (
        <WebhookEventsList mayDecide={mayDecide} />
      ) : (
        <ExceptionsList key={chosen.name} part={chosen.name} mayDecide={mayDecide} />
      )}
    </WorkPage>
  )
}
