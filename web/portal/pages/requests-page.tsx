import { Skeleton } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AnswersView } from '../../features/forms/answers-view.tsx'
import { ScoresCallout } from '../../features/forms/scores-callout.tsx'
import { CancelRequest } from '../../features/requests/cancel-request.tsx'
import { RequestCards } from '../../features/requests/request-cards.tsx'
import { RequestTabs } from '../../features/requests/request-tabs.tsx'
import { BackToHistory, RequestView } from '../../features/requests/request-view.tsx'
import parts from '../../features/requests/requests.module.css'
import { RequestsHistory } from '../../features/requests/requests-history.tsx'
import {
  answersOf,
  type OfferedType,
  type OneRequest,
  useRequest,
  useRequestTypes,
} from '../../features/requests/use-requests.ts'
import { useIsOpen, useSession } from '../../features/session/session.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { idShape } from '../../ui/lists/search-shapes.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AnsweredFile } from '../answered-file.tsx'
import { RequestForm } from '../request-form.tsx'

/** The request types and the member's history, or the request named in the address. */
export function RequestsPage() {
  const { id = '', tab } = useSearch({ strict: false }) as { id?: string; tab?: string }
  return idShape.test(id) ? <OneRequestPage id={id} /> : <AllRequests here={tab === 'history' ? tab : 'requests'} />
}

function AllRequests({ here }: { here: 'requests' | 'history' }) {
  const { t } = useTranslation()
  const { member } = useSession()
  return (
    <Page title={t('Requests')} help={t('Send a request and track it.')}>
      <RequestTabs here={here} customer={member._id} />
      {here === 'history' ? <RequestsHistory customer={member._id} /> : <Offered />}
    </Page>
  )
}

function Offered() {
  const { data, error, refetch } = useRequestTypes()
  const isOpen = useIsOpen()
  const mayOpen = useMayOpen()
  const [asked, setAsked] = useState<OfferedType | null>(null)
  const [isShown, setShown] = useState(false)
  const open = (type: OfferedType) => {
    setAsked(type)
    setShown(true)
  }
  if (error && !data)
    return (
      <Card>
        <ErrorState error={error} onRetry={() => refetch()} />
      </Card>
    )
  return (
    <>
      <RequestCards types={data} isOpen={isOpen} mayOpen={mayOpen} onAsk={open} />
      <FormDialog
        id="custom-request"
        title={asked?.name ?? ''}
        size={asked && !asked.form ? 520 : 720}
        isOpen={isShown}
        onClose={() => setShown(false)}
      >
        {(tools) =>
          asked && (
            <div data-stack="lg" data-shrink>
              {asked.description && <p className={parts.about}>{asked.description}</p>}
              <RequestForm type={asked} onSent={tools.onSaved} onDirty={tools.onDirty} />
            </div>
          )
        }
      </FormDialog>
    </>
  )
}

function OneRequestPage({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: request, error, refetch } = useRequest(id)
  return (
    <Page
      title={request ? t('Request {{number}}', { number: request.number }) : t('Request')}
      actions={request && <CancelRequest key={request._id} request={request} />}
    >
      <BackToHistory />
      {request ? (
        <RequestView request={request} answers={<Answers request={request} />} />
      ) : error ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : request === null ? (
        <Card>
          <EmptyState drawing="search" title={t('Request not found')} text={t('The address may be wrong.')} />
        </Card>
      ) : (
        <div aria-busy="true">
          <Skeleton height={320} radius="lg" />
        </div>
      )}
    </Page>
  )
}

function Answers({ request }: { request: OneRequest }) {
  const { t } = useTranslation()
  const answered = answersOf(request)
  if (!answered) return <p className={parts.about}>{t('This request had no form.')}</p>
  const { definition, answers, files, scores } = answered
  return (
    <div data-stack="lg" data-shrink>
      <AnswersView
        definition={definition}
        answers={answers}
        named={answered}
        renderFile={(fileId) => <AnsweredFile file={files.find(({ _id }) => _id === fileId)} />}
      />
      <ScoresCallout scores={scores} />
    </div>
  )
}
