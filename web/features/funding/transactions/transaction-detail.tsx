import { isHeld } from '@atrium/contract/files/calls.ts'
import { paymentOf } from '@atrium/contract/funding/own-payments.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { IconMessageReport } from '@tabler/icons-react'
import { fileAddress } from '../../../api/address.ts'
import { serverNow } from '../../../api/transport.ts'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { ScanMark } from '../../../ui/files/scan-mark.tsx'
import { Thumbnail } from '../../../ui/files/thumbnail.tsx'
import { Steps } from '../../../ui/forms/steps.tsx'
import { CollapsibleText } from '../../../ui/layout/collapsible-text.tsx'
import { Facts } from '../../../ui/layout/facts.tsx'
import { labelsOfTransaction } from '../../../ui/money/own-payments.ts'
import { beneficiaryLabel, withoutPrefix } from '../../../ui/money/own-transactions.ts'
import { typeLabel } from '../../../ui/money/transaction-type.ts'
import { dayAndTime } from '../../../ui/text/format.ts'
import { Moment } from '../../../ui/text/moment.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { ContinuePayment } from '../deposit/continue-payment.tsx'
import type { Transaction } from '../use-funding.ts'
import { CancelTransaction, isCancellable } from './cancel-transaction.tsx'
import { cardLabel } from './card-label.ts'
import { TransactionAmount } from './transaction-amount.tsx'
import { TransactionMethod } from './transaction-method.tsx'
import parts from './transaction-parts.module.css'
import { stepsOf } from './transaction-steps.ts'

type TransactionDetailProps = {
  transaction: Transaction
  /** Whether the member may make deposits, and so pay one that awaits its payment. */
  isDepositOpen: boolean
  onCancelled: () => void
  /** Null when the member cannot open tickets. */
  onComplain: ((transaction: Transaction) => void) | null
}

/** One transaction: amount, state, next step and all facts. */
export function TransactionDetail({ transaction, isDepositOpen, onCancelled, onComplain }: TransactionDetailProps) {
  const { t } = useTranslation()
  const pill = labelsOfTransaction(transaction)
  const payment = paymentOf(transaction)
  const canContinue = isDepositOpen && (payment === 'awaited' || payment === 'declined')
  return (
    <div data-stack="xl">
      <div data-stack="sm" data-align="start">
        <TransactionAmount transaction={transaction} size="large" />
        <StatusPill meaning={pill.meaning} label={t(pill.label)} isMoving={pill.isMoving} />
      </div>
      {transaction.rejection && (
        <div className={parts.rejection}>
          <p className={parts.sentence}>{t(transaction.rejection.sentence)}</p>
          {transaction.rejection.note && <p>{transaction.rejection.note}</p>}
          <p>{t(transaction.rejection.next)}</p>
        </div>
      )}
      <div>
        <h3 className={parts.heading}>{t('Timeline')}</h3>
        <Steps label={t('Timeline')} steps={stepsOf(transaction, t, { at: dayAndTime, now: serverNow() })} />
      </div>
      {canContinue && (
        <ContinuePayment
          key={`${transaction._id}-${payment}`}
          deposit={transaction._id}
          again={{ method: withoutPrefix(transaction.payment_method ?? ''), amount: transaction.amount }}
        />
      )}
      {isCancellable(transaction) && (
        <div>
          <CancelTransaction key={transaction._id} transaction={transaction} onCancelled={onCancelled} />
        </div>
      )}
      <DetailFacts transaction={transaction} />
      <div>
        <h3 className={parts.heading}>{t('Attachments')}</h3>
        <Attachments transaction={transaction} />
      </div>
      {onComplain && (
        <div>
          <Button
            variant="subtle"
            leftSection={<IconMessageReport size={18} stroke={1.5} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => onComplain(transaction)}
          >
            {t('Complaint')}
          </Button>
        </div>
      )}
    </div>
  )
}

function DetailFacts({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const bank = transaction.destination_bank_account
  const { coin, coin_network, psp_transaction } = transaction
  const beneficiary = bank
    ? [bank.bank_name, bank.bank_account, bank.currency].filter(Boolean).join(' \u00b7 ')
    : transaction.destination && t(beneficiaryLabel(transaction.destination))
  return (
    <div>
      <h3 className={parts.heading}>{t('Details')}</h3>
      <Facts
        facts={[
          { name: t('Ticket'), value: transaction.ticket, copy: transaction.ticket },
          { name: t('Transaction'), value: t(typeLabel(transaction.type)) },
          { name: t('Account'), value: transaction.trading_account.platform_login },
          { name: t('Payment Method'), value: <TransactionMethod transaction={transaction} /> },
          { name: t('Card'), value: cardLabel(transaction) },
          { name: t('Date'), value: <Moment at={transaction.created_at} /> },
          { name: t('Origin account'), value: transaction.origin },
          { name: t('Destination account'), value: beneficiary },
          { name: t('Coin'), value: coin && `${psp_transaction?.coin_amount ?? ''} ${coin}`.trim() },
          { name: t('Network'), value: coin_network },
          {
            name: t('Platform ticket'),
            value: transaction.platform_ticket,
            copy: transaction.platform_ticket ?? undefined,
          },
          {
            name: t('Comment'),
            value: transaction.comment && <CollapsibleText key={transaction._id} text={transaction.comment} />,
          },
        ]}
      />
    </div>
  )
}

function Attachments({ transaction: { attachments } }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const files = attachments.flatMap(({ image, document, file, scan }) => {
    const one = image ?? document ?? file
    return one ? [{ ...one, isPicture: image !== null && !isHeld(scan), scan }] : []
  })
  if (files.length === 0) return <p className={parts.quiet}>{t(texts.noAttachments)}</p>
  return (
    <ul className={parts.attachments}>
      {files.map(({ _id, url, title, isPicture, scan }) => (
        <li key={_id}>
          <a className={parts.attachment} href={fileAddress(url)} target="_blank" rel="noreferrer">
            <Thumbnail src={fileAddress(url)} isPicture={isPicture} className={parts.thumbnail} />
            <span>
              {title ?? t('Attachment')}
              <ScanMark scan={scan} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
