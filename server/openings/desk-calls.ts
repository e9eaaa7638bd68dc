import * as desk from '@atrium/contract/openings/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { deskOpenings, readDeskOpening } from './desk-list.ts'
import { endOpening } from './ending.ts'
import { recheckOpening } from './recheck.ts'

export function openDeskOpeningCalls(app: FastifyInstance, context: Context): void {
  openList(app, context, desk.deskOpeningCalls, deskOpenings)
  open(app, context, desk.lookUpOpeningAgain, {
    audit: ['opening.looked-for-again'],
    idempotent: true,
    duringErasure: 'pending',
    handler: async (staff, { id }) => {
      await recheckOpening(staff, id)
      return { opening: await readDeskOpening(staff, id) }
    },
  })
  open(app, context, desk.endOpening, {
    audit: ['opening.ended-by-staff', 'opening.not-opened'],
    idempotent: true,
    notifies: ['account.not-opened'],
    duringErasure: 'pending',
    example: { reason: 'The platform was shut down' },
    handler: async (staff, { id, ...wanted }) => {
      await endOpening(staff, id, wanted)
      return { opening: await readDeskOpening(staff, id) }
    },
  })
}
