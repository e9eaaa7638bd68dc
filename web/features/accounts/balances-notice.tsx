import { Callout } from '../../ui/feedback/state.tsx'
import { timeOrDay } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Account } from './use-accounts.ts'

/**
 * Reassures the member that the amounts are the last known ones. It names no reason: the platform may not answer, the
 * connection may be lost, or the server may have no live stream to give.
 */
export function BalancesNotice({ accounts, isSyncing }: { accounts: Account[]; isSyncing: boolean }) {
  const { t } = useTranslation()
  const stale = accounts.filter((account) => !account.balance_is_live)
  if (isSyncing || stale.length === 0) return null
  const oldest = Math.min(...stale.map((account) => account.balance_as_of ?? Number.POSITIVE_INFINITY))
  const since = Number.isFinite(oldest) ? t('Balances as of {{time}}.', { time: timeOrDay(oldest) }) : ''
  return (
    <Callout meaning="amber">
      {t('Balances are not live right now.')} {since} {t('Your funds are not affected.')}
    </Callout>
  )
}
