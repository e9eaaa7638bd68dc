import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { texts } from '@atrium/contract/texts.ts'
import { ActionIcon, Drawer } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useLocation, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { StatementsMenu } from '../../features/accounts/statements.tsx'
import { useAccounts } from '../../features/accounts/use-accounts.ts'
import { TransactionDetail } from '../../features/funding/transactions/transaction-detail.tsx'
import detailParts from '../../features/funding/transactions/transaction-parts.module.css'
import { TransactionsFilters } from '../../features/funding/transactions/transactions-filters.tsx'
import { transactions } from '../../features/funding/transactions/transactions-source.ts'
import { useTransactionColumns } from '../../features/funding/transactions/transactions-table.tsx'
import { type Transaction, useTransaction } from '../../features/funding/use-funding.ts'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { useIsPhone, useIsWide } from '../../ui/layout/use-is-phone.ts'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { ExportButton } from '../../ui/lists/member/export-button.tsx'
import { ClearButton } from '../../ui/lists/member/list-fields.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { headings } from '../headings.ts'
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
  const isOpen = useIsOpen()
  const at = useList(transactions, { to, ...inPlace })
  const { open = '' } = useSearch({ strict: false }) as { open?: string }
  const openId = open === '' ? undefined : open
  const isWide = useIsWide()
  const decimals = useOwnDecimals()
  const { data } = at.page
  const onPage = data?.rows.find(({ _id }) => _id === openId)
  // The address may name a transaction of another page, or one that no longer matches the filter.
  const elsewhere = useTransaction(data && !onPage ? openId : undefined)
  const chosen = onPage ?? elsewhere.data ?? undefined
  const close = () => at.show({})
  const show = ({ _id }: Transaction) => at.show({ open: _id }, openId !== undefined)
  const columns = useTransactionColumns(show, isWide && chosen !== undefined)
  return (
    <Page
      title={t(headings.transactions.title)}
      help={t(headings.transactions.help)}
      actions={
        <>
          <ClearButton at={at} />
          <Statements />
          <ExportButton label={t('Export CSV')} save={at.save} />
          {isOpen('deposit') && <LinkButton to="/funds/deposit">{t('New deposit')}</LinkButton>}
        </>
      }
    >
      <TransactionTabs here="all" to={to} />
      <TransactionsFilters at={at} decimals={decimals} />
      {elsewhere.data === null && (
        <Callout meaning="amber">{t('There is no such transaction. The address may be wrong.')}</Callout>
      )}
      <div className={isWide && chosen ? detailParts.split : undefined}>
        <ListRows
          at={at}
          label={t('Transactions')}
          columns={columns}
          chosenKey={chosen?._id}
          onOpen={show}
          empty={<NoTransactions />}
          footer={<ListPages at={at} isCountShown />}
        />
        {isWide && chosen && <DetailPanel transaction={chosen} onClose={close} />}
      </div>
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

function NoTransactions() {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="list"
      title={t(texts.noResults)}
      text={t('Your deposits and withdrawals will be listed here.')}
      action={<LinkButton to="/funds/deposit">{t('Make a deposit')}</LinkButton>}
    />
  )
}
