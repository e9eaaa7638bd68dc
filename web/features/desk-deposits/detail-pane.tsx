import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import parts from './deposit-desk.module.css'
import { DepositDetail } from './deposit-detail.tsx'
import { type QueueView, toQueueSearch } from './deposit-queue.ts'
import { DetailSkeleton } from './detail-skeleton.tsx'
import { depositQuery } from './use-desk-deposits.ts'

type DetailPaneProps = {
  depositId: string | undefined
  view: QueueView
  isAlone: boolean
  /** The first of the queue opens by itself once the queue is there. */
  isFirstComing: boolean
  isOvertaken: boolean
  areKeysShown: boolean
  onDecide: { approve: () => void; reject: () => void } | null
}

export function DetailPane({ depositId, view, isAlone, isFirstComing, ...rest }: DetailPaneProps) {
  const { t } = useTranslation()
  return (
    <>
      {isAlone && (
        <div className={parts.back}>
          <BackLink to="/deposits/{-$depositId}" params={{ depositId: undefined }} search={toQueueSearch(view)}>
            {t('Back to the list')}
          </BackLink>
        </div>
      )}
      {depositId ? <OneDeposit depositId={depositId} {...rest} /> : isFirstComing && <DetailSkeleton />}
    </>
  )
}

type OneDepositProps = Pick<DetailPaneProps, 'isOvertaken' | 'areKeysShown' | 'onDecide'> & { depositId: string }

function OneDeposit({ depositId, ...rest }: OneDepositProps) {
  const { t } = useTranslation()
  const deposit = useQuery(depositQuery(depositId))
  if (deposit.data) return <DepositDetail deposit={deposit.data} {...rest} />
  if (!deposit.isError) return <DetailSkeleton />
  // An address that is no deposit's at all is refused for its shape.
  const isGone = deposit.error instanceof ApiError && [404, 422].includes(deposit.error.status)
  if (isGone)
    return <EmptyState drawing="search" title={t('There is no such deposit')} text={t('The address may be wrong.')} />
  return <ErrorState error={deposit.error} holds={t('No decision was made.')} onRetry={() => deposit.refetch()} />
}
