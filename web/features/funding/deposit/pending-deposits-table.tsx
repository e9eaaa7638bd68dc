import type { CoinPayment } from '@atrium/contract/payments/coin-payment.ts'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useIsCompact } from '../../../ui/layout/use-is-phone.ts'
import { type Column, OpenButton } from '../../../ui/lists/data-table.tsx'
import { Amount } from '../../../ui/money/amount.tsx'
import { Moment } from '../../../ui/text/moment.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { clockText, useSecondsLeft } from '../clock.ts'
import transactionParts from '../transactions/transaction-parts.module.css'
import parts from './coin-instructions.module.css'
import { isFollowable } from './follow-redirect.ts'
import type { PendingDeposit } from './pending-deposits-list.ts'

export function usePendingColumns(onOpen: (deposit: PendingDeposit) => void): Column<PendingDeposit>[] {
  const { t } = useTranslation()
  const isCompact = useIsCompact()
  return [
    { key: 'account', header: t('Account'), skeletonWidth: 72, render: (row) => row.trading_account.platform_login },
    {
      key: 'description',
      header: t('Description'),
      onPhone: 'top',
      skeletonWidth: 160,
      render: (row) => (
        <OpenButton
          name={t('{{description}}, deposit {{number}}', { description: row.description ?? '', number: row.number })}
          onClick={() => onOpen(row)}
        >
          {row.description ?? row.number}
        </OpenButton>
      ),
    },
    {
      key: 'state',
      header: t('Status'),
      skeletonWidth: 110,
      render: ({ coins }) => coins && <WaitingPill coins={coins} />,
    },
    {
      key: 'date',
      header: t('Date'),
      skeletonWidth: 120,
      render: ({ created_at }) => <Moment at={created_at} isStacked={!isCompact} />,
    },
    {
      key: 'amount',
      header: t('Amount'),
      align: 'right',
      onPhone: 'top',
      skeletonWidth: 110,
      render: ({ subtotal, trading_account, coins }) => (
        <span className={parts.coins}>
          <strong className={transactionParts.total}>
            <Amount amount={subtotal} currency={trading_account.currency} />
          </strong>
          {coins && <span className={parts.quiet}>{`${coins.amount} ${coins.crypto_currency}`}</span>}
        </span>
      ),
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'right',
      skeletonWidth: 140,
      render: (row) => (
        <span className={parts.actions}>
          <button
            type="button"
            className={transactionParts.action}
            onClick={() => onOpen(row)}
            aria-label={t('How to pay {{number}}', { number: row.number })}
          >
            {t('How to pay')}
          </button>
          <CheckoutLink number={row.number} page={row.coins?.checkout_url ?? null} />
        </span>
      ),
    },
  ]
}

function CheckoutLink({ number, page }: { number: string; page: string | null }) {
  const { t } = useTranslation()
  if (page === null || !isFollowable(page, window.location.href)) return null
  return (
    <a
      className={transactionParts.action}
      href={page}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('View details of {{number}}', { number })}
    >
      {t('View details')}
    </a>
  )
}

function WaitingPill({ coins }: { coins: CoinPayment }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(coins.expires_at)
  if (coins.seen_at !== null) return <StatusPill meaning="blue" label={t('Confirming')} isMoving />
  if (left === 0) return <StatusPill meaning="grey" label={t('Expired')} />
  return (
    <span className={parts.waiting}>
      <StatusPill meaning="amber" label={t('Waiting for coins')} isMoving />
      <span className={parts.clock} aria-hidden>
        {clockText(left)}
      </span>
    </span>
  )
}
