import type { FieldOption } from '@atrium/contract/forms/definition.ts'
import { useMemo } from 'react'
import type { TFunction } from '../../ui/text/i18n.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { OwnChoices, OwnList } from './own-choices.ts'

type Asked<One> = { data: readonly One[] | undefined; error: Error | null; refetch: () => void }
type Account = {
  _id: string
  platform_login: string
  live_account: boolean
  currency: string
  leverage: number
  trading_platform: { name: string }
  deleted: boolean
  archived: boolean
}
type Bank = { _id: string; bank_name: string; account_holder: string; currency: string }

/** Memoized, because every field receives it and would re-render with each save. */
export function useShapedChoices(accounts: Asked<Account>, banks: Asked<Bank>): OwnChoices {
  const { t } = useTranslation()
  const { data: account, error: accountError, refetch: readAccounts } = accounts
  const { data: bank, error: bankError, refetch: readBanks } = banks
  return useMemo(
    () => ({
      accounts: listOf(
        account?.filter(isOpen).map((each) => ofAccount(each, t)),
        accountError,
        readAccounts,
      ),
      banks: listOf(bank?.map(ofBank), bankError, readBanks),
    }),
    [account, accountError, readAccounts, bank, bankError, readBanks, t],
  )
}

/** What was loaded stays when it cannot be loaded again; a list that never came is not an empty one. */
function listOf(options: FieldOption[] | undefined, error: Error | null, again: () => void): OwnList {
  return options === undefined && error ? { options: [], unread: { why: error.message, again } } : { options }
}

const isOpen = ({ deleted, archived }: Account): boolean => !deleted && !archived

const ofAccount = (
  { _id, platform_login, live_account, currency, leverage, trading_platform }: Account,
  t: TFunction,
): FieldOption => ({
  value: _id,
  label: [
    ...[platform_login, trading_platform.name, t(live_account ? 'Live' : 'Demo'), currency],
    t('1:{{leverage}}', { leverage }),
  ].join(' \u00b7 '),
})

const ofBank = ({ _id, bank_name, account_holder, currency }: Bank): FieldOption => ({
  value: _id,
  label: [bank_name, account_holder, currency.toUpperCase()].join(' \u00b7 '),
})
