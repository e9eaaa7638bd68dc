import { accountLabel, accountLabelWithBalance, hasShownBalance } from '../features/accounts/account-labels.ts'
import type { Account } from '../features/accounts/use-accounts.ts'
import type { TFunction } from '../ui/text/i18n.ts'

/** An account as an option of the money forms. */
export const selectable = (account: Account, t: TFunction) => ({
  id: account._id,
  label: accountLabel(account, t),
  whole: accountLabelWithBalance(account, t),
  platform: account.trading_platform.name,
  balance: account.balance,
  currency: account.currency,
  isBalanceShown: hasShownBalance(account),
})
