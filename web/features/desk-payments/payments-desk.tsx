import { Link, useParams } from '@tanstack/react-router'
import { bringIntoView } from '../../ui/layout/bring-into-view.ts'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import tabs from '../../ui/lists/tabs.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ExceptionsList } from './exceptions-list.tsx'
import { WebhookEventsList } from './webhook-events-list.tsx'

const parted = [
  { name: 'waiting', label: 'To be decided' },
  { name: 'decided', label: 'Decided' },
  { name: 'notifications', label: 'Webhook events' },
] as const

/** The providers' webhook events and the payment exceptions. */
export function PaymentsDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  const { part } = useParams({ strict: false }) as { part?: string }
  const chosen = parted.find(({ name }) => name === part) ?? parted[0]
  return (
    <WorkPage help={t('Payments that need a decision, and every message from providers.')}>
      <nav className={tabs.tabs} aria-label={t('Parts of payments')}>
        {parted.map(({ name, label }) => (
          <Link
            key={name}
            ref={name === chosen.name ? bringIntoView : undefined}
            to="/payments/{-$part}"
            params={{ part: name } as never}
            className={`${tabs.tab} ${name === chosen.name ? tabs.here : ''}`}
            aria-current={name === chosen.name ? 'page' : undefined}
          >
            {t(label)}
          </Link>
        ))}
      </nav>
      {chosen.name === 'notifications' ? (
        <WebhookEventsList mayDecide={mayDecide} />
      ) : (
        <ExceptionsList key={chosen.name} part={chosen.name} mayDecide={mayDecide} />
      )}
    </WorkPage>
  )
}
