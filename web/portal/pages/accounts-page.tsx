import { texts } from '@atrium/contract/texts.ts'
import { Box, SegmentedControl, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { AccountCard } from '../../features/accounts/account-card.tsx'
import cardParts from '../../features/accounts/account-parts.module.css'
import barParts from '../../features/accounts/accounts-bar.module.css'
import {
  type AccountsSearch,
  areMany,
  chooseAccounts,
  readAccountsSearch,
  writeAccountsSearch,
} from '../../features/accounts/accounts-search.ts'
import { AccountsTable } from '../../features/accounts/accounts-table.tsx'
import { BalancesNotice } from '../../features/accounts/balances-notice.tsx'
import { useAccounts, useStableAccounts } from '../../features/accounts/use-accounts.ts'
import { useLiveMetrics } from '../../features/accounts/use-live-metrics.ts'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { useStoredChoice } from '../../ui/fields/use-stored-choice.ts'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useIsCompact } from '../../ui/layout/use-is-phone.ts'
import { LazyPart } from '../../ui/lazy/lazy-part.tsx'
import { useInSlices } from '../../ui/lazy/use-in-slices.ts'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { headings } from '../headings.ts'

type View = 'list' | 'cards'

const accountsBar = async () => (await import('../../features/accounts/accounts-bar.tsx')).AccountsBar

export function AccountsPage() {
  const { t } = useTranslation()
  const isCompact = useIsCompact()
  const [chosen, setView] = useStoredChoice<View | null>('atrium.accounts-view', null)
  const view = chosen ?? (isCompact ? 'cards' : 'list')
  const { member } = useSession()
  const { accounts, isSyncing, error, retry } = useStableAccounts()
  useLiveMetrics({ isOff: !accounts?.length })
  const navigate = useNavigate()
  const search = readAccountsSearch(useSearch({ strict: false }) as Record<string, unknown>)
  const go = (next: typeof search) =>
    navigate({ to: '/accounts', search: writeAccountsSearch(next) as never, replace: true, resetScroll: false })
  return (
    <Page
      title={t(headings.accounts.title)}
      help={
        isSyncing && accounts ? t('Reading the balances from the trading platform\u2026') : t(headings.accounts.help)
      }
      actions={<ViewSwitch view={view} onChange={setView} />}
    >
      <Notice />
      {(accounts || !error) && areMany(accounts?.length ?? member.accounts_live_count + member.accounts_demo_count) && (
        <LazyPart
          part={accountsBar}
          props={
            accounts && {
              accounts,
              search,
              onChange: (change: Partial<AccountsSearch>) => go({ ...search, ...change }),
            }
          }
          room={<Skeleton className={barParts.room ?? ''} />}
        />
      )}
      {error && !accounts ? (
        <Card>
          <ErrorState error={error} onRetry={retry} />
        </Card>
      ) : (
        <AccountList view={view} search={search} onClear={() => go(readAccountsSearch({}))} />
      )}
    </Page>
  )
}

function Notice() {
  const { accounts, isSyncing } = useAccounts()
  return accounts && <BalancesNotice accounts={accounts} isSyncing={isSyncing} />
}

type AccountListProps = { view: View; search: AccountsSearch; onClear: () => void }

function AccountList({ view, search, onClear }: AccountListProps) {
  const { t } = useTranslation()
  const { accounts: loaded, isSyncing } = useAccounts()
  const accounts = useInSlices(loaded)
  const shared = { isSyncing, isDepositOpen: useIsOpen()('deposit') }
  const shown = accounts && chooseAccounts(accounts, search)
  const isNone = shown?.length === 0 && accounts?.length !== 0
  const empty = isNone ? <NoMatches onClear={onClear} /> : <NoAccounts />
  if (view === 'list' || !shown) return <AccountsTable accounts={shown} empty={empty} {...shared} />
  if (shown.length === 0) return <Card>{empty}</Card>
  return (
    <ul className={cardParts.cards} aria-label={t('Trading accounts')}>
      {shown.map((account) => (
        <AccountCard key={account._id} account={account} {...shared} />
      ))}
    </ul>
  )
}

function ViewSwitch({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const { t } = useTranslation()
  // After the page: the control measures itself and renders again, and everything that renders with it would wait.
  const isPageShown = useDeferredValue(true, false)
  if (!isPageShown) return <Box w={84} h={32} />
  const option = (value: View, label: string, Icon: typeof IconList) => ({
    value,
    label: (
      <>
        <Icon size={18} stroke={1.5} aria-hidden style={{ display: 'block' }} />
        <VisuallyHidden>{label}</VisuallyHidden>
      </>
    ),
  })
  return (
    <SegmentedControl
      aria-label={t('View')}
      value={view}
      onChange={(value) => onChange(value === 'cards' ? 'cards' : 'list')}
      data={[option('list', t('List view'), IconList), option('cards', t('Card view'), IconLayoutGrid)]}
    />
  )
}

/** Offers only the kinds of account that the brokerage offers. */
function NoAccounts() {
  const { t } = useTranslation()
  const mayOpen = useMayOpen()
  return (
    <EmptyState
      drawing="accounts"
      title={t(texts.noAccounts)}
      text={mayOpen('demo') && t('Open one to start trading; a demo account costs nothing.')}
      action={
        <div data-group="sm" data-align="center" data-justify="center">
          {mayOpen('live') && <LinkButton to="/accounts/open-live-account">{t('Open Live Account')}</LinkButton>}
          {mayOpen('demo') && (
            <LinkButton to="/accounts/open-demo-account" variant={mayOpen('live') ? 'default' : 'filled'}>
              {t('Open Demo Account')}
            </LinkButton>
          )}
        </div>
      }
    />
  )
}
