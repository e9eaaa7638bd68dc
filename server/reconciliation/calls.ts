import * as desk from '@atrium/contract/reconciliation/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open, openTable } from '../http/route.ts'
import { explainMismatch, reopenMismatch } from './explanation.ts'
import { countOpen, listDays, readDay } from './queries.ts'
import { askForDay } from './requests.ts'
import { exportDays } from './table.ts'

export function openReconciliationCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listReconciliation, (staff, filter) => listDays(staff, filter))
  open(app, context, desk.readReconciliationDay, (staff, { day, ...filter }) => readDay(staff, day, filter))
  open(app, context, desk.countMismatches, async (staff) => ({ open: await countOpen(staff) }))
  open(app, context, desk.askReconciliation, {
    audit: ['reconciliation.asked'],
    idempotent: true,
    handler: async (staff, { day }) => {
      await askForDay(staff, day)
      return { day: (await readDay(staff, day)).day }
    },
  })
  open(app, context, desk.explainMismatch, {
    audit: ['reconciliation.explained'],
    idempotent: true,
    example: { note: 'A bonus that the dealer granted.' },
    handler: async (staff, { id, note, seen }) => ({ difference: await explainMismatch(staff, id, note, seen) }),
  })
  open(app, context, desk.reopenMismatch, {
    audit: ['reconciliation.reopened'],
    idempotent: true,
    handler: async (staff, { id }) => ({ difference: await reopenMismatch(staff, id) }),
  })
  openTable(app, context, desk.exportReconciliation, {
    audit: ['reconciliation.exported'],
    handler: async (staff, asked) => {
      return { name: `reconciliation-${asked.of}.csv`, lines: await exportDays(staff, asked) }
    },
  })
}
