import type { CallAnswer } from '@atrium/contract/call.ts'
import { listAudit, readAuditChoices } from '@atrium/contract/desk-audit.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import type { AuditSearch } from './audit-search.ts'

export type AuditEntry = CallAnswer<typeof listAudit>['entries'][number]

export const auditQuery = (search: AuditSearch & { limit?: number }) =>
  queryOptions({
    queryKey: ['desk-audit', search],
    queryFn: () => call(listAudit, search),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })

export const choicesQuery = queryOptions({
  queryKey: ['desk-audit', 'choices'],
  queryFn: () => call(readAuditChoices, {}),
  staleTime: 60_000,
})
