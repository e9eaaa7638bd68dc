import { useState } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { kindLabels, stateLabels } from './difference-labels.ts'
import { DifferenceRow } from './difference-row.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { type Difference, type DifferencesAnswer, differences } from './use-accounts.ts'

const controls: ListControls<typeof differences.list, DifferencesAnswer> = {
  state: { label: 'Status', labels: stateLabels },
  kind: { label: 'Type of difference', all: 'Any type', labels: kindLabels },
  platform: { label: 'Platform', all: 'Any platform', from: ({ platforms }) => platforms },
}

/** Differences between a platform's list of accounts and ours that staff must decide. */
export function DifferencesDesk({ mayDecide }: { mayDecide: boolean }) {
  const { t } = useTranslation()
  // Held outside the row, which leaves the list when a colleague decides first.
  const [imported, setImported] = useState<Difference | null>(null)
  return (
    <>
      <DataList
        source={differences}
        to="/accounts"
        label={t('Differences')}
        help={t(
          'Differences between platforms and portal that need a decision. The rest is corrected automatically and recorded in the audit log.',
        )}
        controls={controls}
        counted={{ all: 'Differences: {{shown}}', more: '{{shown}}+ differences' }}
        empty={
          <EmptyState
            drawing="accounts"
            title={t('Platforms and portal agree')}
            text={t('Each platform’s accounts are compared with ours every ten minutes.')}
          />
        }
        row={(difference) => (
          <DifferenceRow difference={difference} mayDecide={mayDecide} onImport={() => setImported(difference)} />
        )}
      />
      {imported && <ImportDialog difference={imported} onClose={() => setImported(null)} />}
    </>
  )
}
