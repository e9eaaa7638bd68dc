import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { statusLabels } from './client-labels.ts'
import parts from './clients.module.css'
import type { Client } from './use-clients.ts'

export function useClientColumns(): Column<Client>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      header: t('Name'),
      onPhone: 'top',
      skeletonWidth: 140,
      render: ({ name }) => <span className={parts.name}>{name}</span>,
    },
    {
      key: 'number',
      header: t('Client number'),
      skeletonWidth: 72,
      render: (row) => <span className={parts.number}>{row.customer_number}</span>,
    },
    {
      key: 'status',
      header: t('Status'),
      onPhone: 'top',
      skeletonWidth: 72,
      render: ({ status }) => (
        <StatusPill meaning={statusLabels[status].meaning} label={t(statusLabels[status].label)} />
      ),
    },
    { key: 'live', header: t('Live accounts'), align: 'right', skeletonWidth: 24, render: (row) => row.live_count },
    { key: 'demo', header: t('Demo accounts'), align: 'right', skeletonWidth: 24, render: (row) => row.demo_count },
  ]
}
