import { texts } from '@atrium/contract/texts.ts'
import { useTranslation } from 'react-i18next'
import { fileAddress } from '../../api/address.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { ScanMark } from '../../ui/files/scan-mark.tsx'
import { Thumbnail } from '../../ui/files/thumbnail.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { FoldedText } from '../../ui/layout/folded-text.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { dayAndTime } from '../../ui/text/format.ts'
import {
  type Attached,
  attachedOf,
  destinationOf,
  movementAmount,
  movementName,
  movementStatus,
} from './movement-words.ts'
import parts from './trades.module.css'
import type { TradedAccount } from './trades-search.ts'
import type { Movement } from './use-trades.ts'

/** One deposit or withdrawal: the figure, where it stands, its facts, and what was handed in with it. */
export function MovementCard({ account, movement }: { account: TradedAccount; movement: Movement }) {
  const { t } = useTranslation()
  const { trade_record, currency, comment } = movement
  const status = movementStatus(movement.state)
  return (
    <div className={parts.card}>
      <div className={parts.cardHead}>
        <Amount amount={movementAmount(movement)} currency={currency} size="large" sign="always" />
        <StatusPill meaning={status.meaning} label={t(status.label)} isMoving={status.isMoving} />
      </div>
      <Facts
        facts={[
          { name: t('Ticket'), value: movement.ticket, copy: movement.ticket },
          { name: t('Transaction'), value: t(movementName(movement.type)) },
          { name: t('Account'), value: account.platform_login },
          { name: t('Date'), value: dayAndTime(movement.created_at) },
          { name: t('Destination'), value: destinationOf(movement) },
          {
            name: t('Platform ticket'),
            value: trade_record?.deal ?? movement.platform_ticket,
            copy: trade_record?.deal ?? movement.platform_ticket ?? undefined,
          },
          { name: t('Platform comment'), value: trade_record?.comment },
          { name: t('Comment'), value: comment && <FoldedText key={movement._id} text={comment} /> },
        ]}
      />
      <div>
        <h4 className={parts.heading}>{t('Attachments')}</h4>
        <Attachments attached={attachedOf(movement)} />
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
