import { limits } from '@atrium/contract/limits.ts'
import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon, Button, Drawer } from '@mantine/core'
import { IconDownload, IconFilterOff, IconX } from '@tabler/icons-react'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { StatementsMenu } from '../../features/accounts/statements.tsx'
import { useAccounts } from '../../features/accounts/use-accounts.ts'
import { TransactionDetail } from '../../features/funding/transactions/transaction-detail.tsx'
import detailParts from '../../features/funding/transactions/transaction-parts.module.css'
import { TransactionsFilters } from '../../features/funding/transactions/transactions-filters.tsx'
import {
  countFilters,
  noFilters,
  readSearch,
  type TransactionsSearch,
  toVariables,
  writeSearch,
} from '../../features/funding/transactions/transactions-search.ts'
import { TransactionsTable } from '../../features/funding/transactions/transactions-table.tsx'
import { type Transaction, useTransaction, useTransactions } from '../../features/funding/use-funding.ts'
import { useTransactionsExport } from '../../features/funding/use-transactions-export.ts'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useIsPhone, useIsWide } from '../../ui/layout/use-is-phone.ts'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { PagerBar } from '../../ui/lists/paging/pager-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { PendingDeposits } from '../pending-deposits.tsx'
import { useEverywhere, useOwnComplaint } from '../shell/everywhere.tsx'
import { TransactionTabs } from '../transaction-tabs.tsx'
import { useHasPendingDeposits } from '../use-has-pending-deposits.ts'

/** Transactions; with the feature for pending deposits, they are a second tab at the same address. */
export function TransactionsPage() {
  const hasPending = useHasPendingDeposits()
  const { pathname } = useLocation()
  const { view } = useSearch({ strict: false }) as { view?: unknown }
  // The list has two addresses, and links stay within the current one.
  const to = pathname.startsWith('/funds') ? '/funds/transactions' : '/transactions'
  return hasPending && view === 'pending' ? <PendingDeposits to={to} /> : <AllTransactions to={to} />
}

function AllTransactions({ to }: { to: '/funds/transactions' | '/transactions' }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const search = readSearch(useSearch({ strict: false }) as Record<string, unknown>)
  const list = useTransactions(toVariables(search))
  const table = useTransactionsExport()
  const isWide = useIsWide()
  const decimals = useOwnDecimals()
  const change = (next: Partial<TransactionsSearch>, isReplacing = false) =>
    navigate({
      to,
      search: writeSearch({ ...search, ...next }) as never,
      replace: isReplacing,
      resetScroll: false,
    })
  const onPage = list.data?.rows.find(({ _id }) => _id === search.open)
  // The address may name a transaction of another page, or one that no longer matches the filter.
  const elsewhere = useTransaction(list.data && !onPage ? search.open : undefined)
  const chosen = onPage ?? elsewhere.data ?? undefined
  const isFiltered = countFilters(search) > 0
  const clear = () => change({ ...noFilters, page: 1 })
  const close = () => change({ open: undefined }, true)

  const rows = (
    <TransactionsTable
      rows={list.data?.rows}
      chosen={chosen?._id}
      isNarrow={isWide && chosen !== undefined}
      onOpen={({ _id }) => change({ open: _id }, search.open !== undefined)}
      empty={<NoTransactions isFiltered={isFiltered} onClear={clear} />}
      footer={
        <PagerBar
          page={search.page}
          size={limits.transactionsPageSize}
          total={list.data?.total ?? 0}
          onPage={(page) => change({ page, open: undefined })}
        />
      }
    />
  )
  return (
    <Page
      title={t('All Transactions')}
      help={t('Every deposit and withdrawal, newest first.')}
      actions={
        <>
          {isFiltered && (
            <Button variant="subtle" leftSection={<IconFilterOff size={18} stroke={1.5} />} onClick={clear}>
              {t('Clear filters')}
            </Button>
          )}
          <Statements />
          <Button
            variant="default"
            leftSection={<IconDownload size={18} stroke={1.5} />}
            loading={table.isPending}
            onClick={() => table.mutate(search)}
          >
            {t('Export CSV')}
          </Button>
          {isOpen('deposit') && <LinkButton to="/funds/deposit">{t('New deposit')}</LinkButton>}
        </>
      }
    >
      <TransactionTabs here="all" to={to} />
      <TransactionsFilters
        filters={search}
        decimals={decimals}
        onChange={(filters) => change({ ...pickFilters(filters), page: 1, open: undefined }, true)}
      />
      {elsewhere.data === null && (
        <Callout meaning="amber">{t('There is no such transaction. The address may be wrong.')}</Callout>
      )}
      {list.error && !list.data ? (
        <Card>
          <ErrorState error={list.error} onRetry={() => list.refetch()} />
        </Card>
      ) : (
        <div className={isWide && chosen ? detailParts.split : undefined}>
          {rows}
          {isWide && chosen && <DetailPanel transaction={chosen} onClose={close} />}
        </div>
      )}
      {!isWide && <DetailSheet transaction={chosen} onClose={close} />}
    </Page>
  )
}

/** The maximum of any fiat currency. */
const fiatDecimalsMax = 3

/** The number of decimals for an amount filter. */
function useOwnDecimals(): number {
  const isOpen = useIsOpen()
  const { accounts = [] } = useAccounts({ isOff: !isOpen('my_accounts') })
  return accounts.length === 0
    ? fiatDecimalsMax
    : Math.max(...accounts.map(({ currency }) => currencyDecimals(currency)))
}

/** Only if the member can see their accounts. */
function Statements() {
  const isOpen = useIsOpen()
  const { member } = useSession()
  const { accounts, error } = useAccounts({ isOff: !isOpen('my_accounts') })
  const hasNone = member.accounts_live_count + member.accounts_demo_count === 0
  if (!accounts && (error || hasNone || !isOpen('my_accounts'))) return null
  return <StatementsMenu accounts={accounts?.filter(({ deleted }) => !deleted)} />
}

const pickFilters = (filters: typeof noFilters) =>
  Object.fromEntries(Object.keys(noFilters).map((name) => [name, filters[name as keyof typeof noFilters]]))

function useComplaint() {
  const { t } = useTranslation()
  const { openComplaintAbout } = useEverywhere()
  return (
    openComplaintAbout &&
    (({ _id, ticket }: Transaction) =>
      openComplaintAbout({ type: 'profile', model: { _id, label: t('Transaction {{ticket}}', { ticket }) } }))
  )
}

function DetailPanel({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const { t } = useTranslation()
  const title = t('Transaction {{ticket}}', { ticket: transaction.ticket })
  const complain = useComplaint()
  useOwnComplaint(complain !== null)
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<Element | null>(null)
  // The side panel does not take the focus by itself, so a screen reader would not announce it.
  useEffect(() => {
    const before = document.activeElement
    if (before !== heading.current) opener.current = before
    if (transaction._id) heading.current?.focus({ preventScroll: true })
  }, [transaction._id])
  const close = () => {
    onClose()
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  return (
    <section
      className={detailParts.panel}
      aria-label={title}
      onKeyDown={({ key, defaultPrevented }) => key === 'Escape' && !defaultPrevented && close()}
    >
      <div className={detailParts.panelTop}>
        <h2 ref={heading} tabIndex={-1} className={detailParts.panelTitle}>
          {title}
        </h2>
        <ActionIcon aria-label={t('Close the details')} onClick={close}>
          <IconX size={18} stroke={1.5} />
        </ActionIcon>
      </div>
      <TransactionDetail transaction={transaction} onCancelled={onClose} onComplain={complain} />
    </section>
  )
}

function DetailSheet({ transaction, onClose }: { transaction: Transaction | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const isPhone = useIsPhone()
  const complain = useComplaint()
  return (
    <Drawer
      opened={transaction !== undefined}
      onClose={onClose}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92dvh' : 460}
      title={transaction && t('Transaction {{ticket}}', { ticket: transaction.ticket })}
      closeButtonProps={{ 'aria-label': t('Close the details') }}
    >
      {transaction && <TransactionDetail transaction={transaction} onCancelled={onClose} onComplain={complain} />}
    </Drawer>
  )
}

function NoTransactions({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useTranslation()
  if (isFiltered) return <NoMatches onClear={onClear} />
  return (
    <EmptyState
      drawing="list"
      title={t(texts.noResults)}
      text={t('Your deposits and withdrawals will be listed here.')}
      action={<LinkButton to="/funds/deposit">{t('Make a deposit')}</LinkButton>}
    />
  )
}
