import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Amount } from '../../ui/money/amount.tsx'
import { ClearedNotice, WebhookReason } from '../../ui/money/provider-labels.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { judgement } from './payment-labels.ts'
import parts from './payments.module.css'
import { rawQuery, useReplay, type WebhookEvent } from './use-payments.ts'

/** One webhook event of a provider: its content, its handling, and the raw text on demand. */
export function WebhookEventRow({ webhookEvent, mayDecide }: { webhookEvent: WebhookEvent; mayDecide: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { label, meaning } = judgement(webhookEvent)
  const { order, payout, amount, currency } = webhookEvent
  return (
    <div data-stack="sm" data-shrink data-pad="md lg">
      <div className={parts.head}>
        <span className={parts.strong}>
          {webhookEvent.provider} {webhookEvent.word && `\u00b7 ${webhookEvent.word}`}
        </span>
        {amount !== null && <Amount amount={amount} currency={currency ?? ''} />}
        <StatusPill meaning={meaning} label={t(label)} />
        <span className={parts.quiet}>
          <Moment at={webhookEvent.received_at} />
          {webhookEvent.times > 1 && ` \u00b7 ${t('{{number}} times', { number: webhookEvent.times })}`}
        </span>
      </div>
      {webhookEvent.why && (
        <span className={parts.quiet}>
          <WebhookReason why={webhookEvent.why} />
        </span>
      )}
      <div className={parts.buttons}>
        {order && (
          <Link to="/deposits/{-$depositId}" params={{ depositId: order.deposit_id }}>
            {t('Deposit T-{{ticket}}', { ticket: order.ticket })}
          </Link>
        )}
        {payout && (
          <Link
            to="/withdrawals/{-$withdrawalId}"
            params={{ withdrawalId: payout.withdrawal_id }}
            search={{ state: 'all' }}
          >
            {t('Withdrawal T-{{ticket}}', { ticket: payout.ticket })}
          </Link>
        )}
        <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('Hide the message') : t('Show the message')}
        </Button>
        {mayDecide && webhookEvent.verdict !== 'unread' && webhookEvent.cleared_at === null && (
          <Replay id={webhookEvent._id} />
        )}
      </div>
      {isOpen && <Raw id={webhookEvent._id} />}
    </div>
  )
}

function Raw({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(rawQuery(id))
  if (!data && error) return <Callout meaning="red">{t(error.message)}</Callout>
  if (!data) return <span role="status">{t('Loading the message')}</span>
  if (data.cleared_at !== null) return <ClearedNotice at={data.cleared_at} />
  return (
    <pre className={parts.raw}>
      {data.raw || t('The message is empty.')}
      {data.is_cut && '\u2026'}
    </pre>
  )
}

function Replay({ id }: { id: string }) {
  const { t } = useTranslation()
  const replay = useReplay(id)
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={replay.isPending}
        onClick={() => replay.mutate(undefined, { onSuccess: () => toast.done(t('It is being processed again.')) })}
      >
        {t('Process again')}
      </Button>
      {replay.error && (
        <span className={parts.problem} role="alert">
          {t(replay.error.message)}
        </span>
      )}
    </>
  )
}
