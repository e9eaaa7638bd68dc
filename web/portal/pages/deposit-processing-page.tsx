import { limits } from '@atrium/contract/limits.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { Button, Modal } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { DepositOutcome } from '../../features/funding/deposit/deposit-outcome.tsx'
import { lastOrder } from '../../features/funding/deposit/last-order.ts'
import {
  type DepositStatus,
  isCompleted,
  mayPayAgain,
  useDepositStatus,
} from '../../features/funding/deposit/use-deposit-status.ts'
import { type Returned, returnedFrom } from '../../features/funding/provider-labels.ts'
import { useIsOpen } from '../../features/session/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useIsLeaving } from '../../ui/forms/use-is-leaving.ts'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

const isId = (text: string | null | undefined): text is string => /^[0-9a-f-]{36}$/i.test(text ?? '')
/** After this time the page says that the member need not wait. */
const longWaitMs = 60_000

/** The return page after a payment. The address is only a hint; the server knows the outcome. */
export function DepositProcessingPage() {
  const { t } = useTranslation()
  const params = useParams({ strict: false }) as { order?: string }
  const [order] = useState(() => [params.order, lastOrder()].find(isId) ?? null)
  const returned = returnedFrom(useSearch({ strict: false }) as Record<string, unknown>)
  return (
    <Page title={t('Deposit')} help={t('Payment status.')}>
      <Card>{order === null ? <NoOrder /> : <Outcome order={order} returned={returned} />}</Card>
      <ReturnDialog returned={returned} />
    </Page>
  )
}

function NoOrder() {
  const { t } = useTranslation()
  return (
    <EmptyState
      drawing="broken"
      title={t('Deposit not found')}
      text={t('If you paid, your transactions show it as soon as the payment provider confirms it.')}
      action={<WaysOn again={{ to: '/funds/deposit', search: {} }} isAgainFirst={false} />}
    />
  )
}

type WaysOnProps = {
  /** Prefills a retry; null when the member must not pay again. */
  again: { to: string; search: object } | null
  /** Whether paying again is the likely next step. */
  isAgainFirst?: boolean
}

/** A member who may already have paid is not asked to pay again. */
function WaysOn({ again, isAgainFirst = true }: WaysOnProps) {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  return (
    <>
      {again && (
        <LinkButton to={again.to} search={again.search as never} variant={isAgainFirst ? 'filled' : 'default'}>
          {t('Try Again')}
        </LinkButton>
      )}{' '}
      {isOpen('transactions') && (
        <LinkButton to="/funds/transactions" variant={again && isAgainFirst ? 'default' : 'filled'}>
          {t('See my transactions')}
        </LinkButton>
      )}
    </>
  )
}

function Outcome({ order, returned }: { order: string; returned: Returned }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isOpen = useIsOpen()
  const { data: status, error, refetch } = useDepositStatus(order)
  const isLong = useLongWait()
  const isLeaving = useIsLeaving('/deposit-processing/{-$order}')
  const isDone = status !== undefined && isCompleted(status)
  const target = isOpen('transactions') ? '/funds/transactions' : '/home'
  useEffect(() => {
    if (!isDone) return
    const goOn = () => {
      if (!isLeaving()) void navigate({ to: target, replace: true })
    }
    const timer = setTimeout(goOn, limits.redirectAfterDepositMs)
    return () => clearTimeout(timer)
  }, [isDone, navigate, isLeaving, target])

  if (!status && error instanceof ApiError && error.code === 'not_found') return <NoOrder />
  if (!status && error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!status) return <FormSkeleton label={t('Loading')} />
  return (
    <DepositOutcome
      status={status}
      returned={returned}
      isLong={isLong}
      actions={
        isDone ? null : (
          <WaysOn again={mayPayAgain(status, { hasReturned: returned !== null }) ? againOf(status) : null} />
        )
      }
    />
  )
}

/** Prefills the same deposit, to be reviewed before it is sent. */
const againOf = ({ account, provider, amount }: DepositStatus) => ({
  to: `/funds/deposit/${account}`,
  search: { method: provider, amount },
})

function useLongWait(): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longWaitMs)
    return () => clearTimeout(timer)
  }, [])
  return isLong
}

function ReturnDialog({ returned }: { returned: Returned }) {
  const { t } = useTranslation()
  const [isRead, setRead] = useState(false)
  return (
    <Modal
      opened={returned !== null && !isRead}
      onClose={() => setRead(true)}
      title={returned?.kind === 'failed' ? t(paymentTexts.problemTitle) : t('Deposit')}
      centered
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <p>{returned && t(returned.message)}</p>
      <Button fullWidth data-autofocus onClick={() => setRead(true)}>
        {t('Close')}
      </Button>
    </Modal>
  )
}
