import { accessOf } from '@atrium/contract/accounts/access.ts'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { exactTime, timeOrDay } from '../../ui/text/format.ts'
import { platformName } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './account-parts.module.css'
import type { Account } from './use-accounts.ts'

export function PlatformMark({ type, isSmall = false }: { type: string; isSmall?: boolean }) {
  return (
    <span className={`${parts.mark} ${isSmall ? parts.small : ''}`} aria-hidden>
      {platformName(type)}
    </span>
  )
}

export function KindTag({ account }: { account: Pick<Account, 'live_account' | 'deleted'> }) {
  const { t } = useTranslation()
  if (account.deleted) return <Tag label={t('Closed')} />
  return account.live_account ? <Tag label={t('Live')} isStrong /> : <Tag label={t('Demo')} />
}

const accessLabels = { read_only: 'Read-only', disabled: 'Disabled' }

/** Shows a restriction by staff or the platform; empty for an unrestricted account. */
export function AccessTag({ account }: { account: Pick<Account, 'status' | 'enable_read_only' | 'deleted'> }) {
  const { t } = useTranslation()
  const access = accessOf(account)
  return access === 'full' || account.deleted ? null : <Tag label={t(accessLabels[access])} />
}

/** The time of a balance that is not live. */
export function BalanceTime({ account }: { account: Pick<Account, 'balance_is_live' | 'balance_as_of'> }) {
  const { t } = useTranslation()
  if (account.balance_is_live || account.balance_as_of === null) return null
  return (
    <span className={parts.asOf} title={exactTime(account.balance_as_of)}>
      {t('As of {{time}}', {
        time: timeOrDay(account.balance_as_of),
      })}
    </span>
  )
}
