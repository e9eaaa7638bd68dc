import * as desk from '@atrium/contract/desk-openings.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { exportDeskOpenings, listDeskOpenings, readDeskOpening } from './desk-list.ts'
import { lookForOpeningAgain } from './look-again.ts'

export function openDeskOpeningCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listOpeningsAtDesk, (staff, input) => listDeskOpenings(staff, input))
  openTable(app, ground, desk.exportOpenings, {
    audit: ['openings.exported'],
    handler: async (staff, input) => {
      return { name: 'openings.csv', lines: await exportDeskOpenings(staff, input) }
    },
  })
  open(app, ground, desk.lookForOpening, {
    audit: ['opening.looked-for-again'],
    idempotent: true,
    handler: async (staff, { id }) => {
      await lookForOpeningAgain(staff, id)
      return { opening: await readDeskOpening(staff, id) }
    },
  })
}
