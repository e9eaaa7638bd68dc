import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useKeys } from '../../ui/layout/keyboard.tsx'
import type { ListControls } from '../../ui/lists/list-bar.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { DocumentDetail } from './document-detail.tsx'
import { ageLabels, tabLabels } from './document-labels.ts'
import { DocumentLine } from './document-line.tsx'
import { decisionKeys } from './offered-moves.ts'
import { type DocumentsAnswer, documentQuery, documents, type Verdict } from './use-documents.ts'
import { VerdictDialog } from './verdict-dialog.tsx'

type DocumentsDeskProps = { mayDecide: boolean; drawPerson: (memberId: string) => ReactNode }

const controls: ListControls<typeof documents.list, DocumentsAnswer> = {
  q: { label: 'Search documents', placeholder: 'Number, name or title' },
  order: { label: 'Sort by', labels: ageLabels },
}

/** The queue of KYC documents and the selected document. */
export function DocumentsDesk(props: DocumentsDeskProps) {
  const { t } = useTranslation()
  return (
    <PaneList
      source={documents}
      to="/documents/{-$documentId}"
      param="documentId"
      label={t('Documents')}
      paneLabel={t('Queue')}
      detailLabel={t('Document')}
      tabs={{ filter: 'state', label: 'Documents by state', labels: tabLabels, counts: ({ counts }) => counts }}
      controls={controls}
      empty={() => (
        <EmptyState
          drawing="list"
          title={t('No documents here')}
          text={t('New documents appear here automatically.')}
        />
      )}
      row={(row, { state }) => <DocumentLine row={row} isStateShown={state === 'all'} />}
      detail={(id, proceed) => <One key={id} id={id} proceed={proceed} {...props} />}
    />
  )
}

type OneProps = DocumentsDeskProps & { id: string; proceed: () => void }

function One({ id, proceed, mayDecide, drawPerson }: OneProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Verdict['do'] | null>(null)
  const { data, error, refetch } = useQuery(documentQuery(id))
  const ask = mayDecide ? setAsked : null
  useKeys(t('Document'), decisionKeys(data, ask))
  const close = () => setAsked(null)
  const decided = () => {
    close()
    proceed()
  }
  const holds = t('No decision was made.')
  if (!data && error)
    return <RecordError {...{ error, holds }} notFound={t('Document not found')} onRetry={() => refetch()} />
  if (!data) return <FormSkeleton label={t('Loading')} />
  return (
    <>
      <DocumentDetail document={data} person={drawPerson(data.member._id)} onDecide={ask} />
      <VerdictDialog what={asked} document={data} onClose={close} onDecided={decided} />
    </>
  )
}
