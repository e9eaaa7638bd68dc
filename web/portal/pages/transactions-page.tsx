import { currencyDecimals } from '@atrium/contract/money/currencies.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { StatementsMenu } from '../../features/accounts/statements.tsx'
import { useAccounts } from '../../features/accounts/use-accounts.ts'
import detailParts from '../../features/funding/transactions/transaction-parts.module.css'
import { transactionsList } from '../../features/funding/transactions/transactions-list.ts'
import { transactions } from '../../features/funding/transactions/transactions-source.ts'
import { useTransactionColumns } from '../../features/funding/transactions/transactions-table.tsx'
import { useTransaction } from '../../features/funding/transactions/use-transaction.ts'
import type { Transaction } from '../../features/funding/use-funding.ts'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { useIsWide } from '../../ui/layout/use-is-phone.ts'
import { Lazy, notifyMissing } from '../../ui/lazy/lazy.tsx'
import { LazyPart } from '../../ui/lazy/lazy-part.tsx'
import { countFilters } from '../../ui/lists/list-address.ts'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { ClearButton } from '../../ui/lists/member/clear-button.tsx'
import { CollapsibleFilters, RoomForFields } from '../../ui/lists/member/collapsible-filters.tsx'
import { ExportButton } from '../../ui/lists/member/export-button.tsx'
import { useShownRow } from '../../ui/lists/member/use-shown-row.ts'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { headingFirst } from '../heading-first.tsx'
import { headings } from '../headings.ts'
import { pendingHeading, TransactionTabs, useTransactionsAddress } from '../transaction-tabs.tsx'
import { useHasPendingDeposits } from '../use-has-pending-deposits.ts'

const PendingDeposits = headingFirst(pendingHeading, () => import('../pending-deposits-page.tsx'), 'PendingDeposits')
const filters = async () =>
  (await import('../../features/funding/transactions/transactions-filters.tsx')).TransactionsFilters
const openedTransaction = async () => (await import('../opened-transaction.tsx')).OpenedTransaction

/** Transactions; with the feature for pending deposits, they are a second tab at the same address. */
export function TransactionsPage() {
  const hasPending = useHasPendingDeposits()
  const { view } = useSearch({ strict: false }) as { view?: unknown }
  return hasPending && view === 'pending' ? <PendingDeposits /> : <AllTransactions />
}

function AllTransactions() {
  const { t } = useTranslation()
  const to = useTransactionsAddress()
  const isOpen = useIsOpen()
  const at = useList(transactions, { to, ...inPlace })
  const { open = '' } = useSearch({ strict: false }) as { open?: string }
  const openId = open === '' ? undefined : open
  const isWide = useIsWide()
  const decimals = useOwnDecimals()
  const { data } = at.page
  // The address may name a transaction of another page, or one that no longer matches the filter.
  const opened = useShownRow({ id: openId, rows: data?.rows, useOne: useTransaction })
  const { shown: chosen } = opened
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
      <TransactionTabs here="all" />
      <CollapsibleFilters active={countFilters(transactionsList, at.search)} columns={5}>
        <LazyPart part={filters} props={{ at, decimals }} room={<RoomForFields list={transactionsList} />} />
      </CollapsibleFilters>
      {opened.isMissing && <Callout meaning="amber">{t('Transaction not found. The address may be wrong.')}</Callout>}
      {opened.isUnread && (
        <Callout meaning="amber">
          {t('The transaction of this link could not be loaded.')}{' '}
          <Button size="compact-xs" variant="default" onClick={() => opened.refetch()}>
            {t('Try again')}
          </Button>
        </Callout>
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
        <Lazy
          part={openedTransaction}
          props={{ opened: chosen !== undefined, transaction: chosen, isWide, onClose: close }}
          onMissing={() => {
            close()
            notifyMissing()
          }}
        />
      </div>
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

function NoTransactions() {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  return (
    <EmptyState
      drawing="list"
      title={t(texts.noResults)}
      text={t('Your deposits and withdrawals will be listed here.')}
      action={isOpen('deposit') && <LinkButton to="/funds/deposit">{t('Make a deposit')}</LinkButton>}
    />
  )
}
