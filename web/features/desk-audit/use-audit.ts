import { exportAudit, listAudit, readAuditChoices } from '@atrium/contract/audit-log/desk-calls.ts'
import { auditList } from '@atrium/contract/audit-log/desk-list.ts'
import type { CallAnswer } from '@atrium/contract/call.ts'
import { queryOptions } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

export type AuditAnswer = CallAnswer<typeof listAudit>
export type AuditEntry = AuditAnswer['entries'][number]

export const audit = listSource(auditList, { list: listAudit, table: exportAudit })

export const choicesQuery = queryOptions({
  queryKey: [audit.key, 'choices'],
  queryFn: () => call(readAuditChoices, {}),
  staleTime: 60_000,
})
