import * as desk from '@atrium/contract/audit-log/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { auditLog, readChoices } from './queries.ts'

export function openDeskAuditCalls(app: FastifyInstance, context: Context): void {
  openList(app, context, { list: desk.listAudit, table: desk.exportAudit }, auditLog)
  open(app, context, desk.readAuditChoices, (staff) => readChoices(staff))
}
