import * as desk from '@atrium/contract/openings/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { deskOpenings, readDeskOpening } from './desk-list.ts'
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
}
