import { texts } from '@atrium/contract/texts.ts'
import { Button, Skeleton } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { AccessNotice } from '../../features/accounts/access-notice.tsx'
import { actionsOf } from '../../features/accounts/account-actions.ts'
import { AccountChart, readRange } from '../../features/accounts/account-chart.tsx'
import { AccountLocation } from '../../features/accounts/account-location.tsx'
import { AccountMetrics, AccountMetricsSkeleton } from '../../features/accounts/account-metrics.tsx'
import { KindTag } from '../../features/accounts/account-parts.tsx'
import { DuePasswords } from '../../features/accounts/due-passwords.tsx'
import { usePlatformServers } from '../../features/accounts/platform-servers.ts'
import { StatementsMenu } from '../../features/accounts/statements.tsx'
import {
  type AccountDetail,
  type StableDetail,
  useAccount,
  useStableAccount,
} from '../../features/accounts/use-account.ts'
import { useLiveMetrics } from '../../features/accounts/use-live-metrics.ts'
import type { PasswordKind } from '../../features/accounts/use-password-change.ts'
import { TransactionsSkeleton } from '../../features/funding/transactions/transactions-table.tsx'
import { isPermittedIn, useIsOpen, useSession } from '../../features/session/session.ts'
import { BalanceTab } from '../../features/trades/balance-tab.tsx'
import { ownTrades } from '../../features/trades/own-trades.ts'
import { TradesSourceProvider } from '../../features/trades/trades-source.ts'
import { TradingTab } from '../../features/trades/trading-tab.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import tabParts from '../../ui/lists/tabs.module.css'
import { LiveBlock } from '../../ui/money/while-visible.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useEverywhere, useOwnComplaint } from '../shell/everywhere.tsx'
import parts from './account-page.module.css'

const PasswordDialog = lazy(async () => ({
  default: (await import('../../features/accounts/password-dialog.tsx')).PasswordDialog,
}))

/** One of the member's trading accounts. An account of another member counts as not found. */
export function AccountPage() {
  const { t } = useTranslation()
  const { accountId = '' } = useParams({ strict: false }) as { accountId?: string }
  const { account, error, retry } = useStableAccount(accountId)
  useLiveMetrics({ isOff: account?.deleted !== false })
  if (account === null)
    return (
      <EmptyState
        isPage
        drawing="door"
        title={t(texts.notFoundPage)}
        text={t('It may have moved, or the address is not quite right.')}
        action={<LinkButton to="/home">{t('Go to home')}</LinkButton>}
      />
    )
  if (!account) return <AccountPageWaiting error={error} onRetry={retry} />
  return (
    <Page
      title={t('Account #{{login}} - Transactions', { login: account.platform_login })}
      help={<AccountLine account={account} />}
      actions={<AccountButtons key={account._id} account={account} />}
    >
      <AccessNotice account={account} />
      <DuePasswords account={account} />
      <LiveParts id={account._id} />
      <AccountTabs key={account._id} account={account} />
    </Page>
  )
}

function AccountPageWaiting({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Page title={t('Trading account')} help={!error && <Skeleton height={14} width={260} display="inline-block" />}>
      {error ? (
        <Card>
          <ErrorState error={error} onRetry={onRetry} />
        </Card>
      ) : (
        <div data-stack="lg" data-shrink role="status" aria-label={t('Loading')} aria-busy>
          <AccountMetricsSkeleton />
          <TransactionsSkeleton />
        </div>
      )}
    </Page>
  )
}

function AccountLine({ account }: { account: StableDetail }) {
  const { t } = useTranslation()
  const server = usePlatformServers().get(account.trading_platform._id)
  return (
    <span className={parts.line}>
      <KindTag account={account} />
      <span>{account.trading_platform.name}</span>
      <span>{account.currency}</span>
      <span>{t('1:{{leverage}}', { leverage: account.leverage })}</span>
      <AccountLocation account={account} />
      {server && !account.deleted && (
        <span className={parts.server}>
          {t('Server: {{server}}', { server })}
          <CopyButton value={server} name={t('Server')} />
        </span>
      )}
    </span>
  )
}

function AccountButtons({ account }: { account: StableDetail }) {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const { openComplaintAbout } = useEverywhere()
  const [password, setPassword] = useState<{ kind: PasswordKind | null; isOpen: boolean }>({
    kind: null,
    isOpen: false,
  })
  const may = actionsOf(account, { deposit: isOpen('deposit'), withdraw: isOpen('withdraw') })
  useOwnComplaint(may.complaint && openComplaintAbout !== null)
  const params = { accountId: account._id } as never
  const icon = { size: 18, stroke: 1.5 }
  return (
    <div className={parts.buttons} data-group="sm">
      {may.complaint && openComplaintAbout && (
        <Button
          variant="subtle"
          onClick={() =>
            openComplaintAbout({
              type: 'profile',
              model: { _id: account._id, label: t('Account #{{login}}', { login: account.platform_login }) },
            })
          }
        >
          {t('Complaint')}
        </Button>
      )}
      {may.password && (
        <>
          <Button variant="subtle" onClick={() => setPassword({ kind: 'investor', isOpen: true })}>
            {t('Investor password')}
          </Button>
          <Button variant="default" onClick={() => setPassword({ kind: 'main', isOpen: true })}>
            {t('Change Password')}
          </Button>
        </>
      )}
      {may.withdraw && (
        <LinkButton
          variant="default"
          to="/funds/withdraw/{-$accountId}"
          params={params}
          leftSection={<IconMinus {...icon} />}
        >
          {t('Withdraw')}
        </LinkButton>
      )}
      {may.deposit && (
        <LinkButton
          to={account.live_account ? '/funds/deposit/{-$accountId}' : '/funds/deposit-demo/{-$accountId}'}
          params={params}
          leftSection={<IconPlus {...icon} />}
        >
          {t('Add Deposit')}
        </LinkButton>
      )}
      <Suspense fallback={null}>
        {password.kind !== null && may.password && (
          <PasswordDialog
            account={account}
            kind={password.kind}
            isOpen={password.isOpen}
            onClose={() => setPassword(({ kind }) => ({ kind, isOpen: false }))}
          />
        )}
      </Suspense>
    </div>
  )
}

/** Only these re-render with the metrics. */
function LiveParts({ id }: { id: string }) {
  const { account, isSyncing } = useAccount(id)
  if (!account) return null
  return (
    <>
      <LiveBlock>
        <AccountMetrics account={account} isSyncing={isSyncing} />
      </LiveBlock>
      <LiveBlock>
        <ChartOverTime account={account} />
      </LiveBlock>
    </>
  )
}

/** The address holds the range beside the tab. */
function ChartOverTime({ account }: { account: AccountDetail }) {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Record<string, unknown>
  return (
    <AccountChart
      account={account}
      range={readRange(search.range)}
      onRange={(range) =>
        navigate({
          to: '/accounts/$accountId',
          params: { accountId: account._id } as never,
          search: { ...search, range } as never,
          replace: true,
          resetScroll: false,
        })
      }
    />
  )
}

type TabBody = ComponentType<{ account: StableDetail }>
type AccountTab = { name: string; label: string; Body: TabBody; isShown: boolean }

function OwnTradingTab({ account }: { account: StableDetail }) {
  return (
    <TradesSourceProvider value={ownTrades}>
      <TradingTab account={account} />
    </TradesSourceProvider>
  )
}

function OwnBalanceTab({ account }: { account: StableDetail }) {
  return <BalanceTab account={account} isListed={useIsOpen()('transactions')} />
}

function useTabs(): AccountTab[] {
  const session = useSession()
  return [
    { name: 'balance', label: 'Balance', Body: OwnBalanceTab, isShown: isPermittedIn(session, 'transactions') },
    { name: 'trading', label: 'Trading', Body: OwnTradingTab, isShown: session.settings.features.trades === true },
  ].filter(({ isShown }) => isShown)
}

/** The account's tabs; a single one is shown without a tab bar. */
function AccountTabs({ account }: { account: StableDetail }) {
  const { t } = useTranslation()
  const session = useSession()
  const tabs = useTabs()
  const { tab } = useSearch({ strict: false }) as { tab?: unknown }
  const here = tabs.find(({ name }) => name === tab) ?? tabs[0]
  if (!here) return null
  return (
    <section data-stack="lg" data-shrink aria-label={t(here.label)}>
      <div className={parts.tabsHead} data-group="md" data-align="center">
        {tabs.length > 1 && (
          <nav className={tabParts.tabs} aria-label={t('Of this account')}>
            {tabs.map(({ name, label }) => (
              <Link
                key={name}
                to="/accounts/$accountId"
                params={{ accountId: account._id }}
                search={(before: object) => ({ ...before, tab: name, page: undefined, open: undefined }) as never}
                replace
                resetScroll={false}
                className={`${tabParts.tab} ${name === here.name ? tabParts.here : ''}`}
                aria-current={name === here.name ? 'page' : undefined}
              >
                {t(label)}
              </Link>
            ))}
          </nav>
        )}
        {!account.deleted && isPermittedIn(session, 'transactions') && <StatementsMenu accounts={[account]} />}
      </div>
      <here.Body account={account} />
    </section>
  )
}
