import type { CoinPayment } from '@atrium/contract/payments/coin-payment.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTopDialog } from '../../../ui/feedback/open-dialogs.ts'
import { Callout } from '../../../ui/feedback/state.tsx'
import { LinkButton } from '../../../ui/layout/link-button.tsx'
import { dayAndZone } from '../../../ui/text/format.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { useSecondsLeft } from '../clock.ts'
import parts from '../transactions/transaction-parts.module.css'
import { CoinInstructionsDialog } from './coin-instructions.tsx'
import { followRedirect } from './follow-redirect.ts'
import { rememberOrder } from './last-order.ts'
import { type OpenPayment, paymentStepOf, useOpenPayment } from './open-payment.ts'

/** The method and amount of a new deposit, to be reviewed before it is sent. */
type NewDeposit = { method: string; amount: string }

type ContinuePaymentProps = { deposit: string; again: NewDeposit }

/** The way back to the payment page of an unpaid deposit, or why there is none. */
export function ContinuePayment({ deposit, again }: ContinuePaymentProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useOpenPayment(deposit)
  if (data) return <Step payment={data} again={again} />
  if (!error) return <Skeleton height={36} width={168} radius="md" />
  return (
    <Callout meaning="amber">
      {t('We couldn\u2019t load the payment page of this deposit.')}{' '}
      <Button size="compact-xs" variant="default" onClick={() => refetch()}>
        {t('Try again')}
      </Button>
    </Callout>
  )
}

function Step({ payment, again }: { payment: OpenPayment; again: NewDeposit }) {
  const { t } = useTranslation()
  const step = paymentStepOf(payment, useSecondsLeft(payment.expires_at))
  if (step.kind === 'page') return <PageButton payment={payment} />
  if (step.kind === 'coins') return <CoinsButton coins={step.coins} />
  if (step.kind === 'none') return null
  return (
    <div data-stack="md" data-align="start">
      <Callout meaning="amber">{t(step.text)}</Callout>
      {step.isNewOffered && (
        <LinkButton to="/funds/deposit" search={again as never}>
          {t('New deposit')}
        </LinkButton>
      )}
    </div>
  )
}

function PageButton({ payment }: { payment: OpenPayment }) {
  const { t } = useTranslation()
  const [isLost, setLost] = useState(false)
  const go = () => {
    rememberOrder(payment.order)
    setLost(!followRedirect(payment))
  }
  return (
    <div data-stack="sm" data-align="start">
      {isLost && <Callout meaning="red">{t(texts.requestFailed)}</Callout>}
      <Button onClick={go}>{t('Continue payment')}</Button>
      <Until at={payment.expires_at} />
    </div>
  )
}

function CoinsButton({ coins }: { coins: CoinPayment }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isTop = useTopDialog(isOpen)
  return (
    <div data-stack="sm" data-align="start">
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('Continue payment')}
      </Button>
      <Until at={coins.expires_at} />
      <CoinInstructionsDialog coins={isOpen ? coins : null} onClose={() => isTop() && setOpen(false)} />
    </div>
  )
}

function Until({ at }: { at: number }) {
  const { t } = useTranslation()
  return (
    <p className={parts.quiet}>
      {t('You can pay until {{until}}. If you have already paid, please do not pay again.', { until: dayAndZone(at) })}
    </p>
  )
}
