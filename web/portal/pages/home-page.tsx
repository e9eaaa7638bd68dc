import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { serverNow } from '../../api/transport.ts'
import { KindTag, PlatformMark } from '../../features/accounts/account-parts.tsx'
import { BalancesNotice } from '../../features/accounts/balances-notice.tsx'
import { EquitySpark } from '../../features/accounts/equity/equity-spark.tsx'
import { useRecentEquity } from '../../features/accounts/equity/use-recent-equity.ts'
import { type CurrencyTotal, equityPerCurrency } from '../../features/accounts/totals.ts'
import { type Account, useAccounts, useStableAccounts } from '../../features/accounts/use-accounts.ts'
import { useLiveMetrics } from '../../features/accounts/use-live-metrics.ts'
import { TransactionAmount } from '../../features/funding/transactions/transaction-amount.tsx'
import { methodLabel } from '../../features/funding/transactions/transaction-labels.ts'
import { type Transaction, useTransactions } from '../../features/funding/use-funding.ts'
import { useProfile } from '../../features/profile/use-profile.ts'
import { useRejected } from '../../features/requests/use-rejected.ts'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { useTerms } from '../../features/terms/terms-check.ts'
import { useTicketLists } from '../../features/tickets/use-tickets.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { LinkButton, TextLink } from '../../ui/layout/link-button.tsx'
import { Card, Page, Section } from '../../ui/layout/page.tsx'
import { useIsPhone } from '../../ui/layout/use-is-phone.ts'
import { useInSlices } from '../../ui/lazy/use-in-slices.ts'
import { usePart } from '../../ui/lazy/use-part.ts'
import rowParts from '../../ui/lists/rows.module.css'
import { MovingAmount } from '../../ui/money/moving-amount.tsx'
import { labelsOfTransaction } from '../../ui/money/own-payments.ts'
import { typeLabel } from '../../ui/money/transaction-type.ts'
import { LiveBlock, LiveItem } from '../../ui/money/while-visible.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { attentionItems, type Known } from '../attention.ts'
import { headings } from '../headings.ts'
import { latestTransactions } from '../prefetch.ts'
import { useNextSteps } from '../use-next-steps.ts'
import parts from './home-page.module.css'

const lastTransactions = 5

/** Only loaded for members with open steps. */
const nextStepsCard = async () => (await import('../next-steps-card.tsx')).NextSteps

export function HomePage() {
  const { t } = useTranslation()
  const { member, settings } = useSession()
  const isOpen = useIsOpen()
  const isNew = useIsNew()
  const steps = useNextSteps()
  const isLed = steps === undefined ? isNew : steps.some(({ isDone }) => !isDone)
  const isPhone = useIsPhone()
  const NextSteps = usePart(nextStepsCard, { isAsked: isLed })
  const isReady = useInSlices(useIsReady({ steps, isCardLoading: isLed && !NextSteps }) || undefined) ?? false
  return (
    <Page
      title={t('Hello, {{name}}', { name: member.first_name })}
      help={
        isNew
          ? t('Welcome to {{brand}}. A few steps, and you can trade.', { brand: settings.brand.name })
          : t(headings.home.help)
      }
      // On larger screens the header has this button.
      actions={isPhone && isOpen('deposit') && !isNew && <LinkButton to="/funds/deposit">{t('Deposit')}</LinkButton>}
    >
      {isOpen('my_accounts') && !isNew && <Equity />}
      {!isReady && (isNew && NextSteps ? <NextSteps steps={undefined} /> : <ColumnsSkeleton />)}
      {isReady && <Attention isLed={isLed} />}
      {isReady && isLed && NextSteps && <NextSteps steps={steps} />}
      {isReady && !isNew && (
        <div className={parts.columns}>
          {isOpen('my_accounts') && <AccountsAtAGlance />}
          {isOpen('transactions') && <LastTransactions />}
        </div>
      )}
      {!isOpen('my_accounts') && !isOpen('transactions') && (
        <Card>
          <EmptyState drawing="door" title={t('Welcome')} text={t('Choose a page from the menu.')} />
        </Card>
      )}
    </Page>
  )
}

/** True without an account. The session knows before the accounts are loaded; the loaded accounts override it. */
function useIsNew(): boolean {
  const isOpen = useIsOpen()
  const { accounts_live_count, accounts_demo_count } = useSession().member
  const { accounts } = useStableAccounts({ isOff: !isOpen('my_accounts') })
  const count = accounts?.length ?? accounts_live_count + accounts_demo_count
  return isOpen('my_accounts') && count === 0
}

type IsReadyProps = { steps: ReturnType<typeof useNextSteps>; isCardLoading: boolean }

/**
 * Whether the attention items and the card of the next steps are loaded. The sections below wait for them, so that they do
 * not move while the member is about to click.
 */
function useIsReady({ steps, isCardLoading }: IsReadyProps): boolean {
  const isOpen = useIsOpen()
  const { member } = useSession()
  const { accounts, error } = useStableAccounts({ isOff: !isOpen('my_accounts') })
  const { isLoading: isListLoading } = useLatest({ isOff: !isOpen('transactions') })
  const { isLoading: areTicketsLoading } = useTicketLists({ isOff: !isOpen('support') })
  const { isLoading: areRequestsLoading } = useRejected(member._id, { isOff: !isOpen('requests') })
  const { isError: isProfileMissing } = useProfile({ isOff: true })
  const areAccountsKnown = accounts !== undefined || error !== null || !isOpen('my_accounts')
  const areStepsKnown = steps !== undefined || error !== null || isProfileMissing
  const isDataKnown = areAccountsKnown && areStepsKnown && !isListLoading && !areTicketsLoading && !areRequestsLoading
  const isKnown = isDataKnown && !isCardLoading
  // Never reset: content that is already shown stays during a retry.
  const [wasKnown, remember] = useState(isKnown)
  if (isKnown && !wasKnown) remember(true)
  return isKnown || wasKnown
}

const useLatest = (options: { isOff?: boolean } = {}) =>
  useTransactions(latestTransactions, { ...options, isNotified: true })

const Equity = memo(function Equity() {
  const { t } = useTranslation()
  const { accounts, isSyncing, error } = useAccounts()
  useLiveMetrics({ isOff: !accounts?.length })
  const { default_currency } = useSession().settings
  const { data: recent, isLoading: isDayLoading } = useRecentEquity()
  const began = new Map(recent?.accounts.flatMap(({ _id, day_equity: at }) => (at == null ? [] : [[_id, at]])))
  const totals = accounts && equityPerCurrency(accounts, default_currency, began)
  // A failed load is reported once, under Accounts.
  if (totals?.length === 0 || (error && !accounts)) return null
  return (
    <section className={parts.equity} aria-label={t('Equity')} aria-busy={!accounts}>
      {!totals && (
        <div className={parts.total}>
          <Skeleton height={14} width={96} mb={10} />
          <Skeleton height={36} width={220} mb={10} />
          <Skeleton height={14} width={140} />
        </div>
      )}
      {totals?.map((total) => (
        <LiveBlock key={total.currency} className={parts.total}>
          <Total total={total} isDayLoading={isDayLoading} />
        </LiveBlock>
      ))}
      {accounts && (
        <div className={parts.equityNotice}>
          <BalancesNotice accounts={accounts.filter(({ live_account }) => live_account)} isSyncing={isSyncing} />
        </div>
      )}
    </section>
  )
})

function Total({ total, isDayLoading }: { total: CurrencyTotal; isDayLoading: boolean }) {
  const { t } = useTranslation()
  const { currency, equity, floating, accounts: count, today } = total
  return (
    <>
      <p className={parts.totalName}>{t('Equity in {{currency}}', { currency })}</p>
      <MovingAmount amount={equity} currency={currency} size="huge" />
      {today === null && isDayLoading && <p className={parts.today}>{'\u00a0'}</p>}
      {today !== null && (
        <p className={parts.today} title={t('Change of equity since midnight, deposits and withdrawals included')}>
          <MovingAmount amount={today} currency={currency} isResult /> {t('today')}
        </p>
      )}
      <p className={parts.totalNote}>
        <MovingAmount amount={floating} currency={currency} isResult /> {t('open positions')}
        <span aria-hidden>{' \u00b7 '}</span>
        {count === 1 ? t('1 live account') : t('{{number}} live accounts', { number: count })}
      </p>
    </>
  )
}

/** Loads data only from the open parts of the portal. */
function useKnown({ isLed }: { isLed: boolean }): Known {
  const isOpen = useIsOpen()
  const { member } = useSession()
  const { accounts } = useStableAccounts({ isOff: !isOpen('my_accounts') })
  const { data } = useLatest({ isOff: !isOpen('transactions') })
  const { data: tickets } = useTicketLists({ isOff: !isOpen('support') })
  const { data: requests } = useRejected(member._id, { isOff: !isOpen('requests') })
  return {
    terms: useTerms(),
    isOpen,
    transactions: data?.rows ?? [],
    // The next steps to a first deposit already cover funds and documents.
    accounts: isOpen('deposit') && !isLed ? (accounts ?? []) : [],
    tickets: tickets && [...tickets.open.rows, ...tickets.taken.rows],
    requests,
    documents: isOpen('documents') && !isLed ? member.documents_status : undefined,
    now: serverNow(),
  }
}

const Attention = memo(function Attention({ isLed }: { isLed: boolean }) {
  const { t } = useTranslation()
  const items = attentionItems(useKnown({ isLed }), t)
  if (items.length === 0) return null
  return (
    <Section title={t('Needs your attention')}>
      <Card>
        <ul className={rowParts.list}>
          {items.map(({ key, meaning, title, text, to, search }) => (
            <li key={key}>
              <Link to={to} search={(search ?? {}) as never} className={`${rowParts.row} ${rowParts.pressable}`}>
                <span className={`${parts.dot} ${parts[meaning]}`} aria-hidden />
                <span className={rowParts.grow}>
                  <span className={rowParts.strong}>{title}</span>
                  <span className={rowParts.quiet}>{text}</span>
                </span>
                <IconChevronRight size={18} stroke={1.5} aria-hidden className={rowParts.icon} />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
})

const skeleton = Array.from({ length: limits.placeholderRows - 1 }, (_, index) => `skeleton-${index}`)

function ListSkeleton() {
  return skeleton.map((key) => (
    <li key={key} className={rowParts.row} aria-hidden>
      <Skeleton height={32} width={32} radius={8} />
      <span className={rowParts.grow}>
        <Skeleton height={12} width="45%" mb={8} />
        <Skeleton height={10} width="30%" />
      </span>
      <Skeleton height={12} width={90} />
    </li>
  ))
}

/** Replaces both columns while loading, and again below the totals once their number is known. */
const ColumnsSkeleton = memo(function ColumnsSkeleton() {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const { accounts } = useStableAccounts({ isOff: !isOpen('my_accounts') })
  if (!isOpen('my_accounts') && !isOpen('transactions')) return null
  return (
    <div key={accounts?.length} className={parts.columns} role="status" aria-label={t('Loading')} aria-busy>
      <Card>
        <ul className={rowParts.list}>
          <ListSkeleton />
        </ul>
      </Card>
    </div>
  )
})

const AccountsAtAGlance = memo(function AccountsAtAGlance() {
  const { t } = useTranslation()
  const { accounts, error, retry } = useAccounts()
  const liveFirst = accounts?.toSorted((left, right) => Number(right.live_account) - Number(left.live_account))
  return (
    <Section title={t('Accounts')} more={<TextLink to="/accounts">{t('All accounts')}</TextLink>}>
      <Card className={parts.fill}>
        {error && !accounts ? (
          <ErrorState error={error} onRetry={retry} />
        ) : accounts?.length === 0 ? (
          <EmptyState drawing="accounts" title={t(texts.noAccounts)} />
        ) : (
          <ul className={rowParts.list} aria-busy={!accounts}>
            {liveFirst ? (
              liveFirst.slice(0, 5).map((account) => <AccountRow key={account._id} account={account} />)
            ) : (
              <ListSkeleton />
            )}
          </ul>
        )}
      </Card>
    </Section>
  )
})

function AccountRow({ account }: { account: Account }) {
  return (
    <LiveItem className={`${rowParts.row} ${parts.account}`}>
      <AccountFacts account={account} />
    </LiveItem>
  )
}

function AccountFacts({ account }: { account: Account }) {
  return (
    <>
      <PlatformMark type={account.platform_type} />
      <span className={rowParts.grow}>
        <span className={rowParts.strong}>
          {account.platform_login} <KindTag account={account} />
        </span>
        <span className={rowParts.quiet}>
          <span className={parts.roomy}>{`${account.trading_platform.name} \u00b7 `}</span>
          {`1:${account.leverage}`}
        </span>
      </span>
      <EquitySpark account={account} />
      <span className={`${rowParts.amounts} ${parts.amounts}`}>
        <MovingAmount amount={account.balance} currency={account.currency} />
        <span className={parts.small}>
          <MovingAmount amount={account.trade_info?.floating_pnl} currency={account.currency} isResult />
        </span>
      </span>
    </>
  )
}

const LastTransactions = memo(function LastTransactions() {
  const { t } = useTranslation()
  useSession() // Dates are in the member's time zone.
  const { data, error, refetch } = useLatest()
  return (
    <Section
      title={t('Last transactions')}
      more={<TextLink to="/funds/transactions">{t('All transactions')}</TextLink>}
    >
      <Card className={parts.fill}>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => refetch()} />
        ) : data?.rows.length === 0 ? (
          <EmptyState
            drawing="list"
            title={t('No transactions yet')}
            text={t('Your deposits and withdrawals will be listed here.')}
          />
        ) : (
          <ul className={rowParts.list} aria-busy={!data}>
            {data ? (
              data.rows.slice(0, lastTransactions).map((row) => <TransactionRow key={row._id} transaction={row} />)
            ) : (
              <ListSkeleton />
            )}
          </ul>
        )}
      </Card>
    </Section>
  )
})

function TransactionRow({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const pill = labelsOfTransaction(transaction)
  return (
    <li>
      <button
        type="button"
        className={`${rowParts.row} ${rowParts.pressable}`}
        onClick={() => navigate({ to: '/funds/transactions', search: { open: transaction._id } as never })}
      >
        <span className={rowParts.grow}>
          <span className={rowParts.strong}>{`${t(typeLabel(transaction.type))} ${transaction.ticket}`}</span>
          <span className={rowParts.quiet}>
            {t(methodLabel(transaction))}
            <span aria-hidden>{' \u00b7 '}</span>
            <Ago at={transaction.created_at} />
          </span>
        </span>
        <span className={rowParts.amounts}>
          <TransactionAmount transaction={transaction} />
          <StatusPill meaning={pill.meaning} label={t(pill.label)} isMoving={pill.isMoving} />
        </span>
      </button>
    </li>
  )
}
