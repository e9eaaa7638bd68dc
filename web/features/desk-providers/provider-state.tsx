import { knownOr, otherLabel } from '@atrium/contract/unknown-values.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Provider } from './use-providers.ts'

type Health = Provider['standing']

export function ProviderState({ isEnabled, health }: { isEnabled: boolean; health: Health }) {
  const { t } = useTranslation()
  if (!health.is_connected) return <StatusPill meaning="amber" label={t('Not connected')} />
  return isEnabled ? <StatusPill meaning="green" label={t('On')} /> : <StatusPill meaning="grey" label={t('Off')} />
}

export const failureLabels: Record<NonNullable<Health['failure']>, string> = knownOr(otherLabel, {
  declined: 'It answers, but refuses the request.',
  unavailable: 'The provider cannot be reached.',
  misconfigured: 'It rejects our settings.',
  unknown: 'It answered, but the answer cannot be verified.',
})

/** The known health, without a query to the provider. */
export function ProviderHealth({ health }: { health: Health }) {
  const { t } = useTranslation()
  return (
    <span className={rows.health}>
      {health.is_left_in_peace && <StatusPill meaning="red" label={t('Does not answer')} />}
      {health.for_staff > 0 && (
        <StatusPill meaning="amber" label={t('{{number}} to be decided', { number: health.for_staff })} />
      )}
      {health.open_orders > 0 && (
        <span className={rows.quiet}>{t('{{number}} awaiting payment', { number: health.open_orders })}</span>
      )}
      {health.last_notice_at !== null && (
        <span className={rows.quiet}>
          {t('Last webhook')} <Ago at={health.last_notice_at} />
        </span>
      )}
      {health.failed_at !== null && (
        <span className={rows.quiet}>
          {t('Failed')} <Ago at={health.failed_at} />
        </span>
      )}
    </span>
  )
}
