import { queryOptions, useQuery } from '@tanstack/react-query'
import { graph } from '../../api/transport.ts'
import { transferBanksQuery } from './payees.queries.ts'

export const transferBanks = queryOptions({
  queryKey: ['transfer-banks'],
  queryFn: async () => (await graph(transferBanksQuery, {})).data,
  staleTime: 60_000,
})

export const useTransferBanks = () => useQuery(transferBanks)

export type CompanyBank = NonNullable<ReturnType<typeof useTransferBanks>['data']>['system_bank_accounts'][number]
export type OwnBank = NonNullable<ReturnType<typeof useTransferBanks>['data']>['bank_accounts'][number]
