import { useState } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DecideDialog } from './decide-dialog.tsx'
import { ExceptionRow } from './exception-row.tsx'
import { closedExceptions, type DeskException, waitingExceptions } from './use-payments.ts'

export function ExceptionsList({ part, mayDecide }: { part: 'waiting' | 'decided'; mayDecide: boolean }) {
  const { t } = useTranslation()
  const isWaiting = part === 'waiting'
  // Held outside the row, which leaves the list when a colleague decides first.
  const [decided, setDecided] = useState<DeskException | null>(null)
  return (
    <>
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
        row={(row) => <ExceptionRow asked={row} mayDecide={mayDecide} onDecide={() => setDecided(row)} />}
      />
      {decided && <DecideDialog asked={decided} onClose={() => setDecided(null)} />}
    </>
  )
}
