import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { PaymentReason } from '../../ui/money/provider-labels.tsx'
import { Ago, Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { decisionLabels, returnDecisionLabels } from './payment-labels.ts'
import parts from './payments.module.css'
import { type DeskException, isReturn } from './use-payments.ts'

type ExceptionRowProps = { asked: DeskException; mayDecide: boolean; onDecide: () => void }

/** A payment exception: agreed and paid amounts, its cause, and the decision. */
export function ExceptionRow({ asked, mayDecide, onDecide }: ExceptionRowProps) {
  const { t } = useTranslation()
  const { member, deposit } = asked
  const isOfPayout = isReturn(asked)
  const ticket = `T-${deposit.ticket}`
  return (
    <article data-stack="sm" data-shrink data-pad="md lg" aria-label={t('Payment for {{ticket}}', { ticket })}>
      <div className={parts.head}>
        <span className={parts.strong}>
          <PaymentReason why={asked.why} />
        </span>
        <ExceptionState asked={asked} />
        <span className={parts.quiet}>
          <Ago at={asked.opened_at} />
        </span>
      </div>
      <Amounts asked={asked} />
      {asked.before_restore && (
        <Callout meaning="amber">
          <strong>{t('From before a backup was restored')}</strong>
          <br />
          {t(
            'What happened between the backup and the restore is unknown here. Check on the platform whether it was already credited before you decide.',
          )}
        </Callout>
      )}
      <Facts
        facts={[
          {
            name: t('Member'),
            value: (
              <Link to="/members/{-$memberId}" params={{ memberId: member._id }}>
                {t('{{name}}, customer {{number}}', { name: member.name, number: member.customer_number })}
              </Link>
            ),
          },
          ...(isOfPayout ? [] : [{ name: t('Deposit'), value: <DepositLink asked={asked} /> }]),
          ...(asked.payout ? payoutFacts(asked, asked.payout, t) : []),
          ...(asked.provider === ''
            ? [
                { name: t('Payment reference'), value: asked.order.attempt, copy: asked.order.attempt },
                { name: t('Bank reference of the return'), value: asked.payment, copy: asked.payment },
              ]
            : [
                { name: t('Provider'), value: `${asked.provider} \u00b7 ${asked.word}` },
                { name: t('Provider reference'), value: asked.payment, copy: asked.payment },
              ]),
          ...(asked.state === 'closed' ? decidedFacts(asked, t) : []),
          ...(asked.state === 'proposed' ? proposedFacts(asked, t) : []),
        ]}
      />
      {mayDecide && asked.is_own && asked.state !== 'closed' && (
        <Callout meaning="amber">{t('This is your own money, so a colleague has to decide.')}</Callout>
      )}
      {mayDecide && !asked.is_own && asked.state !== 'closed' && (
        <div className={parts.buttons}>
          <Button size="xs" onClick={onDecide}>
            {t('Decide')}
          </Button>
        </div>
      )}
    </article>
  )
}

function Amounts({ asked }: { asked: DeskException }) {
  const { t } = useTranslation()
  const { order, payout } = asked
  const isOfPayout = isReturn(asked)
  return (
    <div data-group="xl" data-lines="sm">
      <LabelledAmount
        label={isOfPayout ? t('Paid out') : t('Agreed')}
        amount={order.charge}
        currency={order.currency}
      />
      <LabelledAmount
        label={isOfPayout ? t('Returned') : t('Paid')}
        amount={asked.paid}
        currency={asked.paid_currency ?? ''}
      />
      {isOfPayout && payout && (
        <LabelledAmount label={t('Settled so far')} amount={payout.settled} currency={order.currency} />
      )}
    </div>
  )
}

function DepositLink({ asked: { deposit, account } }: { asked: DeskException }) {
  const { t } = useTranslation()
  return (
    <Link to="/deposits/{-$depositId}" params={{ depositId: deposit._id }}>
      {t('{{ticket}} to account {{login}}', { ticket: `T-${deposit.ticket}`, login: account.platform_login })}
    </Link>
  )
}

type Words = (key: string, values?: Record<string, unknown>) => string

function payoutFacts(asked: DeskException, payout: NonNullable<DeskException['payout']>, t: Words) {
  const values = { ticket: `T-${payout.ticket}`, login: asked.account.platform_login }
  return [
    {
      name: t('Withdrawal'),
      value: (
        <Link
          to="/withdrawals/{-$withdrawalId}"
          params={{ withdrawalId: payout.withdrawal_id }}
          search={{ state: 'all' }}
        >
          {t('{{ticket}} from account {{login}}', values)}
        </Link>
      ),
    },
    { name: t('Beneficiary'), value: payout.beneficiary },
    { name: t('Paid out at'), value: payout.paid_at !== null && <Moment at={payout.paid_at} /> },
  ]
}

function decidedFacts(asked: DeskException, t: (key: string) => string) {
  const by = [asked.proposed_by, asked.decided_by].filter((name) => name !== null).join(', ')
  return [
    { name: t('Decided by'), value: by },
    { name: t('Decided at'), value: asked.decided_at !== null && <Moment at={asked.decided_at} /> },
    { name: t('Credited as'), value: asked.credited && `T-${asked.credited.ticket}` },
    ...saidFacts(asked, t),
  ]
}

/** What the second person confirms. */
function proposedFacts(asked: DeskException, t: (key: string) => string) {
  const labels = isReturn(asked) ? returnDecisionLabels : decisionLabels
  return [{ name: t('Proposed'), value: asked.decision && t(labels[asked.decision]) }, ...saidFacts(asked, t)]
}

export const saidFacts = (asked: DeskException, t: (key: string) => string) => [
  { name: isReturn(asked) ? t('Payment reference') : t('Refund reference'), value: asked.outside_reference },
  { name: t('Reason'), value: asked.note },
]

function ExceptionState({ asked }: { asked: DeskException }) {
  const { t } = useTranslation()
  if (asked.state === 'open') return <StatusPill meaning="amber" label={t('To be decided')} />
  if (asked.state === 'proposed')
    return <StatusPill meaning="blue" label={t('Second approval needed after {{name}}', { name: asked.proposed_by })} />
  const labels = isReturn(asked) ? returnDecisionLabels : decisionLabels
  return <StatusPill meaning="grey" label={asked.decision ? t(labels[asked.decision]) : ''} />
}

function LabelledAmount({ label, amount, currency }: { label: string; amount: string | null; currency: string }) {
  return (
    <span data-stack="none">
      <span className={parts.quiet}>{label}</span>
      <Amount amount={amount} currency={currency} size="large" />
    </span>
  )
}
