import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { type Column, OpenLink } from '../../ui/lists/data-table.tsx'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { ListFields } from '../../ui/lists/member/list-fields.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import type { TFunction } from '../../ui/text/i18n.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { labelsOfRequest, statusLabels } from './request-labels.ts'
import parts from './requests.module.css'
import type { RequestRow } from './use-rejected.ts'
import { requestsOf } from './use-requests.ts'

/** The member's requests, newest first, filtered by text, status and day. */
export function RequestsHistory({ customer }: { customer: string }) {
  const { t } = useTranslation()
  const at = useList(requestsOf(customer), { to: '/requests', others: { tab: 'history' }, ...inPlace })
  return (
    <div data-stack="lg">
      <ListFields
        at={at}
        columns={4}
        fields={{
          q: { label: 'Search', typed: { type: 'search', placeholder: 'Search by number or subject' } },
          status: { label: 'Status', labels: statusLabels },
          day: ({ search: { day = '' }, change }) => (
            <DateInput size="sm" label={t('Date')} value={day} onChange={(day) => change({ day })} />
          ),
        }}
      />
      <ListRows
        at={at}
        label={t('Requests')}
        isSearched
        columns={columnsOf(at.address, t)}
        empty={<EmptyState drawing="list" title={t('You have not sent any requests yet.')} />}
        footer={<ListPages at={at} isCountShown />}
      />
    </div>
  )
}

function columnsOf(address: object, t: TFunction): Column<RequestRow>[] {
  return [
    {
      key: 'number',
      header: t('Number'),
      onPhone: 'top',
      width: '14%',
      skeletonWidth: 60,
      render: ({ _id, number }) => (
        <OpenLink
          to="/requests"
          search={{ ...address, id: _id } as never}
          aria-label={t('Open request {{number}}', { number })}
        >
          {number}
        </OpenLink>
      ),
    },
    {
      key: 'subject',
      header: t('Subject'),
      onPhone: 'plain',
      width: '46%',
      skeletonWidth: 220,
      render: ({ subject }) => <span className={parts.subject}>{subject}</span>,
    },
    {
      key: 'status',
      header: t('Status'),
      onPhone: 'top',
      skeletonWidth: 72,
      render: ({ status }) => {
        const pill = labelsOfRequest(status)
        return <StatusPill meaning={pill.meaning} label={t(pill.label)} />
      },
    },
    {
      key: 'created',
      header: t('Date'),
      align: 'right',
      skeletonWidth: 90,
      render: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}
