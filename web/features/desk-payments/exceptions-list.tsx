import { EmptyState } from '../../ui/feedback/state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ExceptionRow } from './exception-row.tsx'
import { closedExceptions, waitingExceptions } from './use-payments.ts'

export function ExceptionsList({ part, mayDecide }: { part: 'waiting' | 'decided'; mayDecide: boolean }) {
  const { t } = useTranslation()
  const isWaiting = part === 'waiting'
  return (
    <DataList
      source={isWaiting ? waitingExceptions : closedExceptions}
      to="/payments/{-$part}"
      params={{ part }}
      label={t('Payments')}
      isPart
      controls={{}}
      empty={
        <EmptyState
          drawing="list"
          title={isWaiting ? t('Nothing to decide') : t('Nothing decided yet')}
          text={t(
            'Payments that differ, arrive late or arrive twice, and payouts that came back, are listed here until they are decided.',
          )}
        />
      }
      row={(row) => <ExceptionRow asked={row} mayDecide={mayDecide} />}
    />
  )
}
