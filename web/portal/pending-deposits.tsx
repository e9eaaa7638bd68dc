import { limits } from '@atrium/contract/limits.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CoinPaymentDialog } from '../features/funding/deposit/coin-payment.tsx'
import { PendingDepositsTable } from '../features/funding/deposit/pending-deposits-table.tsx'
import { usePendingDeposits } from '../features/funding/deposit/use-pending-deposits.ts'
import { useIsOpen } from '../features/session/session.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'
import { Callout, EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton, TextLink } from '../ui/layout/link-button.tsx'
import { Card, Page } from '../ui/layout/page.tsx'
import { PagerBar } from '../ui/lists/paging/pager-bar.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { TransactionTabs } from './transaction-tabs.tsx'

type Address = '/funds/transactions' | '/transactions'

/** Unpaid coin deposits: the address, the expiry, and whether the payment was detected. */
export function PendingDeposits({ to }: { to: Address }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const search = useSearch({ strict: false }) as { page?: unknown; open?: unknown }
  const page = Math.max(1, Math.trunc(Number(search.page)) || 1)
  const list = usePendingDeposits(page)
  const go = (next: { page?: number; open?: string }) => {
    const wanted = { view: 'pending', ...(page > 1 && { page }), ...next }
    navigate({ to, search: wanted as never, replace: next.page === undefined, resetScroll: false })
  }
  const chosen = list.data?.rows.find(({ _id }) => _id === search.open)
  // The open deposit was paid or expired while it was displayed.
  const hasLeft = list.data !== undefined && search.open !== undefined && !chosen && !list.isPlaceholderData
  return (
    <Page
      title={t('Pending Deposits')}
      help={t('Crypto deposits that have not arrived yet.')}
      actions={isOpen('deposit') && <LinkButton to="/funds/deposit">{t('New deposit')}</LinkButton>}
    >
      <TransactionTabs here="pending" to={to} />
      {hasLeft && (
        <Callout meaning="blue">
          {t('This deposit is no longer pending.')}{' '}
          <TextLink to={to} search={{ open: String(search.open) } as never}>
            {t('View its status')}
          </TextLink>
        </Callout>
      )}
      {list.error && !list.data ? (
        <Card>
          <ErrorState error={list.error} onRetry={() => list.refetch()} />
        </Card>
      ) : (
        <PendingDepositsTable
          rows={list.data?.rows}
          onOpen={({ _id }) => go({ open: _id })}
          empty={
            <EmptyState
              drawing="list"
              title={t('There are no search results.')}
              text={t('Crypto deposits are listed here until they are paid.')}
              action={isOpen('deposit') && <LinkButton to="/funds/deposit">{t('Make a deposit')}</LinkButton>}
            />
          }
          footer={
            <PagerBar
              page={page}
              size={limits.pendingDepositsPageSize}
              total={list.data?.total ?? 0}
              onPage={(next) => go({ page: next })}
            />
          }
        />
      )}
      <CoinPaymentDialog coins={chosen?.coins} onClose={() => go({})} />
    </Page>
  )
}
