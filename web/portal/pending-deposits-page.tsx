import { Button } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { CoinInstructionsDialog } from '../features/funding/deposit/coin-instructions.tsx'
import {
  type PendingDeposit,
  pendingDeposits,
  useOpenedDeposit,
} from '../features/funding/deposit/pending-deposits-list.ts'
import { usePendingColumns } from '../features/funding/deposit/pending-deposits-table.tsx'
import { useIsOpen } from '../features/session/session.ts'
import { Callout, EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton, TextLink } from '../ui/layout/link-button.tsx'
import { Page } from '../ui/layout/page.tsx'
import { ListRows } from '../ui/lists/list-rows.tsx'
import { ListPages } from '../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../ui/lists/use-list.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { pendingHeading, TransactionTabs, useTransactionsAddress } from './transaction-tabs.tsx'

/** Unpaid coin deposits: the address, the expiry, and whether the payment was detected. */
export function PendingDeposits() {
  const { t } = useTranslation()
  const to = useTransactionsAddress()
  const isOpen = useIsOpen()
  const at = useList(pendingDeposits, { to, others: { view: 'pending' }, ...inPlace })
  const { data } = at.page
  const { open } = useSearch({ strict: false }) as { open?: string }
  const show = ({ _id }: PendingDeposit) => at.show({ open: _id })
  const columns = usePendingColumns(show)
  // Missing: it was paid or expired while it was displayed.
  const opened = useOpenedDeposit(open, data?.rows)
  return (
    <Page
      title={t(pendingHeading.title)}
      help={t(pendingHeading.help)}
      actions={isOpen('deposit') && <LinkButton to="/funds/deposit">{t('New deposit')}</LinkButton>}
    >
      <TransactionTabs here="pending" />
      {opened.isMissing && (
        <Callout meaning="blue">
          {t('This deposit is no longer pending.')}{' '}
          <TextLink to={to} search={{ open } as never}>
            {t('View status')}
          </TextLink>
        </Callout>
      )}
      {opened.isUnread && (
        <Callout meaning="amber">
          {t('The deposit of this link could not be loaded.')}{' '}
          <Button size="compact-xs" variant="default" onClick={() => opened.refetch()}>
            {t('Try again')}
          </Button>
        </Callout>
      )}
      <ListRows
        at={at}
        label={t('Pending Deposits')}
        columns={columns}
        onOpen={show}
        empty={
          <EmptyState
            drawing="list"
            title={t('There are no search results.')}
            text={t('Crypto deposits are listed here until they are paid.')}
            action={isOpen('deposit') && <LinkButton to="/funds/deposit">{t('Make a deposit')}</LinkButton>}
          />
        }
        footer={<ListPages at={at} isCountShown />}
      />
      <CoinInstructionsDialog coins={opened.shown?.coins} onClose={() => at.show({})} />
    </Page>
  )
}
