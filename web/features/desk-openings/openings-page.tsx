import { useState } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { EndDialog } from './end-dialog.tsx'
import { openingLabels } from './opening-labels.ts'
import { OpeningRow } from './opening-row.tsx'
import { type OpeningRow as Opening, type OpeningsAnswer, openings } from './use-openings.ts'

const controls: ListControls<typeof openings.list, OpeningsAnswer> = {
  q: { label: 'Search by member', placeholder: 'Name, email, customer number or login' },
  state: { label: 'Outcome', all: 'Any outcome', labels: openingLabels },
  kind: { label: 'Type', all: 'Live and demo', labels: { live: 'Live', demo: 'Demo' } },
  platform: { label: 'Platform', all: 'Any platform', from: ({ platforms }) => platforms },
}

/** All members' account openings and their outcomes, newest first. */
export function OpeningsPage({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  // Held outside the row, which changes or leaves the list when the outcome becomes known.
  const [ended, setEnded] = useState<Opening | null>(null)
  return (
    <>
      <DataList
        source={openings}
        to="/openings"
        label={t('Account applications')}
        help={t('Accounts that members applied for, with their outcome.')}
        controls={controls}
        counted={{ all: 'Applications: {{shown}}', more: '{{shown}}+ applications' }}
        turns="times"
        empty={
          <EmptyState
            drawing="accounts"
            title={t('No applications yet')}
            text={t('New entries appear here automatically.')}
          />
        }
        row={(opening) => <OpeningRow opening={opening} mayDecide={mayDecide} onEnd={() => setEnded(opening)} />}
      />
      {ended && <EndDialog opening={ended} onClose={() => setEnded(null)} />}
    </>
  )
}
