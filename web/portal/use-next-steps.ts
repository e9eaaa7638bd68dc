import { useStableAccounts } from '../features/accounts/use-accounts.ts'
import { useTransactions } from '../features/funding/use-funding.ts'
import { useTradingConfiguration } from '../features/openings/use-trading-configuration.ts'
import { useProfile } from '../features/profile/use-profile.ts'
import { useIsOpen } from '../features/session/session.ts'
import { useMayOpen } from '../features/session/use-may-open.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { nextSteps, type Step } from './next-steps.ts'
import { latestTransactions } from './prefetch.ts'

/** The steps to a funded live account; undefined until all of their data is loaded; empty once an account is funded. */
export function useNextSteps(): readonly Step[] | undefined {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const mayOpen = useMayOpen()
  const isOff = !isOpen('my_accounts')
  const { accounts = isOff ? [] : undefined } = useStableAccounts({ isOff })
  const isFunded = accounts?.some(({ live_account, balance }) => live_account && /[1-9]/.test(balance ?? '')) ?? false
  const rest = { isOff: isFunded || accounts === undefined }
  const { data: profile } = useProfile(rest)
  const { data: configuration } = useTradingConfiguration({ isOff: rest.isOff || isOff })
  const latest = useTransactions(latestTransactions, {
    isOff: rest.isOff || !isOpen('transactions'),
    isNotified: true,
  })
  if (isFunded) return none
  if (!accounts || !profile) return undefined
  const live = new Set(accounts.filter(({ live_account }) => live_account).map(({ _id }) => _id))
  const hasDeposited =
    latest.data?.rows.some(
      ({ state, type, trading_account: account }) =>
        type === 'deposit' && state === 'approved' && account !== null && live.has(account._id),
    ) ?? false
  const steps = nextSteps(
    {
      profile,
      accounts,
      hasDeposited,
      needsDocuments: configuration?.acc_creation_live_configuration.require_kyc ?? true,
      isOpen,
      mayOpen,
    },
    t,
  )
  // Without access to accounts, nothing shows whether one was ever funded.
  return steps.filter(({ key }) => key !== 'deposit' || !isOff)
}

const none: readonly Step[] = []
