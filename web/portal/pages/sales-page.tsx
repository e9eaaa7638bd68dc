import { limits } from '@atrium/contract/limits.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ClientsBar } from '../../features/sales/clients-bar.tsx'
import { type ClientsSearch, readClientsSearch, writeClientsSearch } from '../../features/sales/clients-search.ts'
import { ClientsTable } from '../../features/sales/clients-table.tsx'
import { useClients, useClientsExport } from '../../features/sales/use-clients.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { NoMatches } from '../../ui/lists/no-matches.tsx'
import { PagerBar } from '../../ui/lists/paging/pager-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

/** The clients that a sales person referred. */
export function SalesPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search = readClientsSearch(useSearch({ strict: false }) as Record<string, unknown>)
  const { data, error, refetch } = useClients(search)
  const exporting = useClientsExport()
  const change = (next: Partial<ClientsSearch>) =>
    navigate({
      to: '/sales',
      search: writeClientsSearch({ ...search, page: 1, ...next }) as never,
      replace: next.page === undefined,
      resetScroll: false,
    })
  const isFiltered = search.q !== '' || search.status !== ''
  return (
    <Page
      title={t('Sales')}
      help={t('The clients whom you referred, and how many accounts each has.')}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.5} />}
          loading={exporting.isPending}
          disabled={!data || data.total === 0}
          onClick={() => exporting.mutate(search)}
        >
          {t('Download as CSV')}
        </Button>
      }
    >
      <ClientsBar search={search} onChange={change} />
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <ClientsTable
          rows={data?.clients}
          empty={isFiltered ? <NoMatches onClear={() => change({ q: '', status: '' })} /> : <NoClients />}
          footer={
            <PagerBar
              page={search.page}
              size={limits.clientsPageSize}
              total={data?.total ?? 0}
              onPage={(page) => change({ page })}
            />
          }
        />
      )}
    </Page>
  )
}

function NoClients() {
  const { t } = useTranslation()
  return <EmptyState drawing="list" title={t('No clients yet')} text={t('Clients whom you refer are listed here.')} />
}
