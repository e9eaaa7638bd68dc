import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { Loader } from '@mantine/core'
import { IconCheck, IconClockHour4, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import tones from '../../../ui/feedback/state.module.css'
import { Amount } from '../../../ui/money/amount.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { type Returned, readable } from '../provider-labels.ts'
import parts from './deposit-outcome.module.css'
import { type DepositStatus, isCompleted, isFinal } from './use-deposit-status.ts'

type Appearance = { meaning: 'green' | 'red' | 'blue' | 'amber'; icon: ReactNode; title: string; text: string }

function appearanceOf(status: DepositStatus, returned: Returned, isLong: boolean): Appearance {
  if (isCompleted(status))
    return {
      meaning: 'green',
      icon: <IconCheck size={32} stroke={2} aria-hidden />,
      title: paymentTexts.completed,
      text: 'Your trading account is credited next. Redirecting to your transactions.',
    }
  if (isFinal(status))
    return {
      meaning: 'red',
      icon: <IconX size={32} stroke={2} aria-hidden />,
      title: paymentTexts.declined,
      text: readable(status.payment_error ?? '') || paymentTexts.notAccepted,
    }
  if (status.is_pending)
    return {
      meaning: 'blue',
      icon: <IconClockHour4 size={32} stroke={1.5} aria-hidden />,
      title: 'Your payment is on its way',
      text: 'The payment provider is processing it. With some banks this takes several days. Please do not pay again; you may leave this page, and your transactions show when it has arrived.',
    }
  if (status.state === 'for_staff')
    return {
      meaning: 'blue',
      icon: <IconClockHour4 size={32} stroke={1.5} aria-hidden />,
      title: 'Your payment is in review',
      text: 'Our team has to review this payment. Please do not pay again; your transactions show the outcome.',
    }
  if (status.state === 'checking')
    return {
      meaning: 'blue',
      icon: <IconClockHour4 size={32} stroke={1.5} aria-hidden />,
      title: 'We are verifying your payment',
      text: 'The payment provider has not answered yet, so we are verifying the payment. Please do not pay again; your transactions show the outcome.',
    }
  if (returned)
    return {
      meaning: 'amber',
      icon: <IconX size={32} stroke={2} aria-hidden />,
      title: returned.message,
      text: 'Nothing has been credited. If you paid after all, it is credited as soon as the provider confirms it.',
    }
  return {
    meaning: 'blue',
    icon: <Loader size={28} type="dots" color="currentColor" />,
    title: 'Waiting for your payment',
    text: isLong
      ? 'This takes longer than usual. You may leave this page: your transactions show the outcome.'
      : 'The payment provider notifies us once it is complete. This page updates automatically.',
  }
}

type OutcomeProps = { status: DepositStatus; returned: Returned; isLong: boolean; actions?: ReactNode }

/** The state of the deposit in large, what happens now, and the next action. */
export function DepositOutcome({ status, returned, isLong, actions }: OutcomeProps) {
  const { t } = useTranslation()
  const { meaning, icon, title, text } = appearanceOf(status, returned, isLong)
  return (
    <div className={parts.outcome} role="status">
      <span className={`${parts.badge} ${tones[meaning]}`}>{icon}</span>
      <h2 className={parts.title}>{t(title)}</h2>
      <p className={parts.amount}>
        <Amount amount={status.charge} currency={status.currency} />
      </p>
      <p className={parts.text}>{t(text)}</p>
      {actions && (
        <div data-group="md" data-justify="center" data-above="lg">
          {actions}
        </div>
      )}
    </div>
  )
}
