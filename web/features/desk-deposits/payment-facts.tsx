import type { DeskPayment } from '@atrium/contract/desk.ts'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../ui/amount.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { ProviderWords } from '../../ui/provider-words.tsx'
import { Callout } from '../../ui/state.tsx'
import parts from './payment-facts.module.css'
import { orderWords, staffReasonWords } from './payment-words.ts'

/** The order at its provider, and every word that came about it: as it was judged, and as it came. */
export function PaymentFacts({ payment, currency }: { payment: DeskPayment; currency: string }) {
  const { t } = useTranslation()
  return (
    <div className={parts.payment}>
      {payment.why && <Callout meaning="amber">{t(staffReasonWords[payment.why] ?? payment.why)}</Callout>}
      <Facts
        facts={[
          { name: t('Provider'), value: payment.provider },
          { name: t('Order'), value: t(orderWords[payment.state]) },
          {
            name: t('Pending at the provider since'),
            value: payment.pending_since !== null && <Moment at={payment.pending_since} />,
          },
          { name: t('To be paid'), value: <Amount amount={payment.charge} currency={currency} /> },
          { name: t('Of which fee'), value: <Amount amount={payment.fee} currency={currency} /> },
          { name: t('Our number'), value: payment.attempt, copy: payment.attempt },
          { name: t('Their number'), value: payment.reference, copy: payment.reference ?? undefined },
          { name: t('Can be paid until'), value: <Moment at={payment.expires_at} /> },
        ]}
      />
      <ProviderWords words={payment.notifications} />
    </div>
  )
}
