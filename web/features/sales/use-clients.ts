import { limits } from '@atrium/contract/limits.ts'
import { exportClients, listClients } from '@atrium/contract/members/sales.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { downloadText } from '../../ui/files/download-text.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type ClientsSearch, filterOf } from './clients-search.ts'

export function useClients(search: ClientsSearch) {
  const input = { ...filterOf(search), page: search.page, limit: limits.clientsPageSize }
  return useQuery({
    queryKey: ['sales', 'clients', input],
    queryFn: () => call(listClients, input),
    placeholderData: keepPreviousData,
  })
}

export type Client = NonNullable<ReturnType<typeof useClients>['data']>['clients'][number]

/** Exports the filtered list as CSV. */
export function useClientsExport() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: (search: ClientsSearch) => call(exportClients, filterOf(search)),
    onSuccess: ({ csv, file_name, is_cut }) => {
      downloadText(csv, file_name, 'text/csv;charset=utf-8')
      if (is_cut) notice.warning(t('The table holds the first {{count}} clients.', { count: limits.clientsExportMax }))
    },
    onError: (error) => notice.refused(t(error.message)),
  })
}
