import { IconSearch } from '@tabler/icons-react'
import { statusLabels } from '../../features/sales/client-labels.ts'
import { useClientColumns } from '../../features/sales/clients-table.tsx'
import { clients } from '../../features/sales/use-clients.ts'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { ExportButton } from '../../ui/lists/member/export-button.tsx'
import { ListFields, SortField } from '../../ui/lists/member/list-fields.tsx'
import { ListPages } from '../../ui/lists/paging/list-pages.tsx'
import { inPlace, useList } from '../../ui/lists/use-list.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'

const orders = {
  'name asc': 'Name, A to Z',
  'name desc': 'Name, Z to A',
  'customer_number asc': 'Client number',
  'live_count desc': 'Most live accounts',
  'live_count asc': 'Fewest live accounts',
  'demo_count desc': 'Most demo accounts',
  'status asc': 'Status',
}

/** The clients that a sales person referred. */
export function SalesPage() {
  const { t } = useTranslation()
  const at = useList(clients, { to: '/sales', ...inPlace })
  return (
    <Page
      title={t('Sales')}
      help={t('The clients whom you referred, and how many accounts each has.')}
      actions={<ExportButton label={t('Export CSV')} save={at.save} isEmpty={!at.page.data?.total} />}
    >
      <ListFields
        at={at}
        columns={3}
        fields={{
          q: {
            label: 'Name or client number',
            typed: { type: 'search', leftSection: <IconSearch size={16} stroke={1.5} aria-hidden /> },
          },
          status: { label: 'Status', labels: statusLabels },
          sort: ({ change }) => <SortField labels={orders} asked={at.asked} onSort={change} />,
        }}
      />
      <ListRows
        at={at}
        label={t('Clients')}
        isSearched
        columns={useClientColumns()}
        empty={
          <EmptyState drawing="list" title={t('No clients yet')} text={t('Clients whom you refer are listed here.')} />
        }
        footer={<ListPages at={at} isCountShown />}
      />
    </Page>
  )
}
