import type { DeskPayment } from '@atrium/contract/payments/desk-payment.ts'
import { Link } from '@tanstack/react-router'
import { Callout } from '../../ui/feedback/state.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Amount } from '../../ui/money/amount.tsx'
import { PaymentReason, ProviderLabels } from '../../ui/money/provider-labels.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { approvingLabels, orderLabels } from './order-labels.ts'
import type { DeskDeposit } from './use-desk-deposits.ts'

/** The order at its provider and every message about it, as judged and as received. */
export function PaymentFacts({ deposit, payment }: { deposit: DeskDeposit; payment: DeskPayment }) {
  const { t } = useTranslation()
  const { currency } = deposit
  return (
    <div data-stack="md">
      {payment.why && <ManualReviewReason deposit={deposit} payment={payment} why={payment.why} />}
      <Facts
        facts={[
          { name: t('Provider'), value: payment.provider },
          { name: t('Order'), value: t(orderLabels[payment.state]) },
          {
            name: t('Pending at the provider since'),
            value: payment.pending_since !== null && <Moment at={payment.pending_since} />,
          },
          { name: t('Amount to pay'), value: <Amount amount={payment.charge} currency={currency} /> },
          { name: t('Fee included'), value: <Amount amount={payment.fee} currency={currency} /> },
          { name: t('Our reference'), value: payment.attempt, copy: payment.attempt },
          { name: t('Provider reference'), value: payment.reference, copy: payment.reference ?? undefined },
          { name: t('Can be paid until'), value: <Moment at={payment.expires_at} /> },
        ]}
      />
      <ProviderLabels notifications={payment.notifications} />
    </div>
  )
}

/** The reason for manual review, and the amount that it would credit or has credited. */
function ManualReviewReason({ deposit, payment, why }: { deposit: DeskDeposit; payment: DeskPayment; why: string }) {
  const { t } = useTranslation()
  const approving = approvingLabels(deposit.state, payment)
  return (
    <Callout meaning={deposit.state === 'pending' ? 'amber' : 'grey'}>
      <p data-plain>
        <PaymentReason why={why} /> {approving && t(approving)}
      </p>
      {payment.credited.map(({ _id, ticket, amount, currency }) => (
        <p key={_id} data-plain>
          {t('Decided to credit:')} <Amount amount={amount} currency={currency} />{' '}
          <Link to="/deposits/{-$depositId}" params={{ depositId: _id }} search={{ state: 'all' }}>
            {t('T-{{ticket}}', { ticket })}
          </Link>
        </p>
      ))}
    </Callout>
  )
}
