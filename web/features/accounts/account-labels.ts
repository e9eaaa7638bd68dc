import { isMore } from '@atrium/contract/money/money.ts'
import { signedAmount } from '../../ui/text/format.ts'
import type { TFunction } from '../../ui/text/i18n.ts'
import { platformName } from '../../ui/text/platform-names.ts'
import type { Account } from './use-accounts.ts'

type Labelled = Pick<Account, 'platform_login' | 'platform_type' | 'live_account' | 'currency' | 'balance'>

/** The label that distinguishes accounts in a selector. */
export function accountLabel(account: Labelled, t: TFunction): string {
  const kind = account.live_account ? t('Live') : t('Demo')
  return `#${account.platform_login} \u00b7 ${platformName(account.platform_type)} \u00b7 ${kind} \u00b7 ${account.currency}`
}

/** The same label with the balance, unless it is unknown or negative. */
export function accountLabelWithBalance(account: Labelled, t: TFunction): string {
  const { balance, currency } = account
  const label = accountLabel(account, t)
  return balance === null || !hasShownBalance(account)
    ? label
    : `${label} \u00b7 ${signedAmount(balance, currency, 'negative')}`
}

export const hasShownBalance = ({ balance }: Pick<Account, 'balance'>) => balance !== null && !isMore('0', balance)

type Ruled = Pick<Account, 'live_account' | 'deleted' | 'archived' | 'enable_read_only'>

/** Whether money may be moved on an account, by the server's rule: it is neither closed nor read-only. */
export const movesMoney = ({ deleted, archived, enable_read_only }: Omit<Ruled, 'live_account'>): boolean =>
  !deleted && !archived && !enable_read_only

/** Accounts that accept a deposit of real money. */
export const takesDeposits = (account: Ruled): boolean => account.live_account && movesMoney(account)
