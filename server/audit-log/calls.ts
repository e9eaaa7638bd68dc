import * as desk from '@atrium/contract/staff/audit.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { auditLog, readChoices } from './queries.ts'

export function openDeskAuditCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listAudit, auditLog.read)
  open(app, ground, desk.readAuditChoices, (staff) => readChoices(staff))
  openTable(app, ground, desk.exportAudit, {
    audit: ['audit.exported'],
    handler: auditLog.table,
  })
}
