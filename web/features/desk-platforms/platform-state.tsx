import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

export function PlatformState({ isEnabled, isConnected }: { isEnabled: boolean; isConnected: boolean }) {
  const { t } = useTranslation()
  if (!isConnected) return <StatusPill meaning="amber" label={t('Not connected')} />
  return isEnabled ? <StatusPill meaning="green" label={t('On')} /> : <StatusPill meaning="grey" label={t('Off')} />
}
