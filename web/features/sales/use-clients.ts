import type { CallAnswer } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { clientsList } from '@atrium/contract/members/clients-list.ts'
import { exportClients, listClients } from '@atrium/contract/members/sales.ts'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { downloadText } from '../../ui/files/download-text.ts'
import { type ListSource, numberedPage } from '../../ui/lists/list-query.ts'
import { i18n } from '../../ui/text/i18n.ts'

export type Client = CallAnswer<typeof listClients>['clients'][number]

export const clients: ListSource<typeof clientsList, Client, null> = {
  list: clientsList,
  key: ['sales', 'clients'],
  async ask(asked) {
    const { clients, total } = await call(listClients, { ...asked, limit: limits.clientsPageSize })
    return numberedPage(clients, total)
  },
  async save(asked) {
    const { csv, file_name, is_cut } = await call(exportClients, asked)
    downloadText(csv, file_name, 'text/csv;charset=utf-8')
    const count = limits.clientsExportMax
    if (is_cut) toast.warning(i18n.t('The table holds the first {{count}} clients.', { count }))
  },
}
