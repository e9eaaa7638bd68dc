import { useQuery } from '@tanstack/react-query'
import { RecordError } from '../../ui/feedback/record-error.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { FilterChoice } from '../../ui/lists/filter-bar.tsx'
import type { ListControls, ListSet } from '../../ui/lists/list-bar.tsx'
import { PaneList } from '../../ui/lists/pane-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { RequestDeskProps } from './request-desk-props.ts'
import { RequestDetail } from './request-detail.tsx'
import { stateLabels } from './request-labels.ts'
import { RequestLine } from './request-line.tsx'
import { deskRequestQuery, type RequestsAnswer, requests, requestTypesQuery } from './use-desk-requests.ts'

const controls: ListControls<typeof requests.list, RequestsAnswer> = {
  mine: { label: 'Mine', isSwitch: true },
  type: (set) => <TypeChoice {...set} />,
  q: { label: 'Search requests', placeholder: 'Number, name or subject' },
}

function TypeChoice({ search, change }: ListSet<typeof requests.list>) {
  const { t } = useTranslation()
  const types = useQuery(requestTypesQuery)
  return (
    <FilterChoice
      label={t('Type')}
      all={t('All types')}
      data={(types.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
      value={search.type}
      onChoose={(type) => change({ type })}
    />
  )
}

/** The board of requests and the selected one. */
export function RequestDesk(props: RequestDeskProps) {
  const { t } = useTranslation()
  return (
    <PaneList
      source={requests}
      to="/requests/{-$requestId}"
      param="requestId"
      label={t('Requests')}
      paneLabel={t('Board')}
      detailLabel={t('Request')}
      tabs={{ filter: 'status', label: 'Requests by state', labels: stateLabels, counts: ({ counts }) => counts }}
      controls={controls}
      empty={({ status }) => (
        <EmptyState
          drawing="list"
          title={t('Nothing here yet')}
          text={status === undefined ? t('New requests appear here automatically.') : ''}
        />
      )}
      row={(row) => <RequestLine row={row} />}
      detail={(id) => <One key={id} id={id} {...props} />}
    />
  )
}

function One({ id, ...props }: RequestDeskProps & { id: string }) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(deskRequestQuery(id))
  if (data) return <RequestDetail request={data} {...props} />
  if (!isError) return <FormSkeleton label={t('Loading')} />
  return <RecordError error={error} notFound={t('Request not found')} onRetry={() => refetch()} />
}
