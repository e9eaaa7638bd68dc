import * as desk from '@atrium/contract/audit-log/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open, openTable } from '../http/route.ts'
import { auditLog, readChoices } from './queries.ts'

export function openDeskAuditCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listAudit, auditLog.read)
  open(app, context, desk.readAuditChoices, (staff) => readChoices(staff))
  openTable(app, context, desk.exportAudit, {
    audit: ['audit.exported'],
    handler: auditLog.table,
  })
}
