import { accessOf } from '@atrium/contract/accounts/access.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { StableDetail } from './use-account.ts'

const labels = {
  read_only: {
    title: 'This account is read-only.',
    text: 'You can sign in to the platform and see your positions, but not trade. Deposits and withdrawals are closed. If you have a question about this, write to our support.',
  },
  disabled: {
    title: 'This account is disabled.',
    text: 'Nobody can sign in to the platform with it or trade on it. Deposits and withdrawals are closed. If you have a question about this, write to our support.',
  },
}

/** Explains why the account's page offers no actions: staff or the platform have restricted the account. */
export function AccessNotice({ account }: { account: StableDetail }) {
  const { t } = useTranslation()
  const access = accessOf(account)
  if (access === 'full' || account.deleted || account.archived) return null
  const { title, text } = labels[access]
  return (
    <Callout meaning="amber">
      <strong>{t(title)}</strong> {t(text)}
    </Callout>
  )
}
