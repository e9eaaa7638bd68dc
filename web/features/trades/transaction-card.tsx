import { texts } from '@atrium/contract/texts.ts'
import { fileAddress } from '../../api/address.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { Thumbnail } from '../../ui/files/thumbnail.tsx'
import { CollapsibleText } from '../../ui/layout/collapsible-text.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { labelsOfTransaction } from '../../ui/money/own-payments.ts'
import { movedAmount } from '../../ui/money/own-transactions.ts'
import { typeLabel } from '../../ui/money/transaction-type.ts'
import { dayAndTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './trades.module.css'
import type { TradedAccount } from './trades-list.ts'
import { type Attached, attachedOf, beneficiaryOf } from './transaction-labels.ts'
import type { Transaction } from './use-trades.ts'

type TransactionCardProps = {
  account: TradedAccount
  transaction: Transaction
  /** Whether the member may open the list of transactions, where the timeline and the reason of a rejection are. */
  isListed: boolean
}

/** One deposit or withdrawal: amount, status, facts and attachments. */
export function TransactionCard({ account, transaction, isListed }: TransactionCardProps) {
  const { t } = useTranslation()
  const { trade_record, currency, comment } = transaction
  const beneficiary = beneficiaryOf(transaction)
  const status = labelsOfTransaction(transaction)
  return (
    <div data-stack="xl">
      <div data-stack="sm" data-align="start">
        <Amount {...movedAmount(transaction)} currency={currency} size="large" />
        <StatusPill meaning={status.meaning} label={t(status.label)} isMoving={status.isMoving} />
        {isListed && (
          <TextLink to="/funds/transactions" search={{ open: transaction._id } as never}>
            {t('Timeline and next steps')}
          </TextLink>
        )}
      </div>
      <Facts
        facts={[
          { name: t('Ticket'), value: transaction.ticket, copy: transaction.ticket },
          { name: t('Transaction'), value: t(typeLabel(transaction.type)) },
          { name: t('Account'), value: account.platform_login },
          { name: t('Date'), value: dayAndTime(transaction.created_at) },
          { name: t('Destination'), value: beneficiary && t(beneficiary) },
          {
            name: t('Platform ticket'),
            value: trade_record?.deal ?? transaction.platform_ticket,
            copy: trade_record?.deal ?? transaction.platform_ticket ?? undefined,
          },
          { name: t('Platform comment'), value: trade_record?.comment },
          { name: t('Comment'), value: comment && <CollapsibleText key={transaction._id} text={comment} /> },
        ]}
      />
      <div>
        <h4 className={parts.heading}>{t('Attachments')}</h4>
        <Attachments attached={attachedOf(transaction)} />
      </div>
    </div>
  )
}

const kinds: Record<string, string> = { image: 'Picture', document: 'Document', file: 'File' }

function Attachments({ attached }: { attached: Attached[] }) {
  const { t } = useTranslation()
  if (attached.length === 0) return <p className={parts.nothing}>{t(texts.noAttachments)}</p>
  return (
    <ul className={parts.attachments}>
      {attached.map((one) => (
        <li key={one._id}>
          <a className={parts.attachment} href={fileAddress(one.url)} target="_blank" rel="noreferrer">
            <Thumbnail src={fileAddress(one.url)} isPicture={one.isPicture} className={parts.thumbnail} />
            <span className={parts.fileName}>{one.title ?? t('Attachment')}</span>
            <ScanMark scan={one.scan} />
            <span className={parts.quiet}>{`${t(kinds[one.kind] ?? 'File')} \u00b7 ${dayAndTime(one.at)}`}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
