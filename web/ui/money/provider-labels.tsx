import { Moment } from '../text/moment.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { Amount } from './amount.tsx'
import { paymentReasonLabels, webhookReasonLabels } from './payment-reasons.ts'
import parts from './provider-labels.module.css'

type ProviderNotification = {
  _id: string
  word: string
  amount: string | null
  currency: string | null
  outcome: string
  times: number
  at: number
  raw: string
  cleared_at: number | null
}

/** How the message was interpreted; the English labels for staff are the translation keys. */
const outcomeLabels: Record<string, string> = {
  applied: 'Processed',
  repeated: 'Duplicate',
  noted: 'No effect',
  for_staff: 'Manual review',
  unread: 'Not processed yet',
}

/** Why a payment needs a decision. */
export function PaymentReason({ why }: { why: string }) {
  const { t } = useTranslation()
  return t(paymentReasonLabels[why] ?? why)
}

/** The same for a webhook event, which may be about a payout. */
export function WebhookReason({ why }: { why: string }) {
  const { t } = useTranslation()
  return t(webhookReasonLabels[why] ?? why)
}

/** Every message of a payment provider about one payment: the interpretation and the raw text. */
export function ProviderLabels({ notifications }: { notifications: readonly ProviderNotification[] }) {
  const { t } = useTranslation()
  if (notifications.length === 0) return null
  return (
    <ul className={parts.list} aria-label={t('Webhook events')}>
      {notifications.map((each) => (
        <li key={each._id}>
          <details>
            <summary>
              {each.word} {each.amount !== null && <Amount amount={each.amount} currency={each.currency ?? ''} />}{' '}
              <span className={parts.quiet}>
                {t(outcomeLabels[each.outcome] ?? each.outcome)} {'\u00b7'}{' '}
                {each.times === 1 ? t('once') : t('{{count}} times', { count: each.times })} {'\u00b7'}{' '}
                <Moment at={each.at} />
              </span>
            </summary>
            {each.cleared_at === null ? (
              <pre className={parts.raw}>{each.raw}</pre>
            ) : (
              <ClearedNotice at={each.cleared_at} />
            )}
          </details>
        </li>
      ))}
    </ul>
  )
}

/** Replaces a message whose content has been erased. */
export function ClearedNotice({ at }: { at: number }) {
  const { t } = useTranslation()
  return (
    <span className={parts.quiet}>
      {t('The content of this message is no longer stored. Cleared')} <Moment at={at} />
    </span>
  )
}
