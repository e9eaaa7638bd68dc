import * as desk from '@atrium/contract/requests/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Staff } from '../foundation/actor.ts'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { assignRequest, commentOnRequest, decideRequest } from './desk-decisions.ts'
import { deskRequests } from './desk-list.ts'
import { readDeskRequest } from './desk-queries.ts'
import {
  addRequestType,
  archiveRequestType,
  changeRequestType,
  listRequestTypes,
  orderRequestTypes,
} from './desk-types.ts'

export function openDeskRequestCalls(app: FastifyInstance, ground: Ground): void {
  const shown = async (staff: Staff, id: string) => ({ request: await readDeskRequest(staff, id) })

  open(app, ground, desk.listDeskRequests, deskRequests.read)
  openTable(app, ground, desk.exportDeskRequests, {
    audit: ['requests.exported'],
    handler: (staff, { status, ...filter }) =>
      deskRequests.table(staff, status === 'all' ? filter : { ...filter, status }),
  })
  open(app, ground, desk.readDeskRequest, (staff, { id }) => shown(staff, id))
  open(app, ground, desk.assignRequest, {
    audit: ['request.moved'],
    idempotent: true,
    handler: async (staff, { id, ...hands }) => {
      await assignRequest(staff, id, hands)
      return shown(staff, id)
    },
  })
  open(app, ground, desk.moveRequest, {
    audit: ['request.moved'],
    idempotent: true,
    notifies: ['request.decided'],
    example: { from: 'not-assigned', to: 'rejected', comment: 'A proof is missing.' },
    handler: async (staff, input) => {
      await decideRequest(staff, input)
      return shown(staff, input.id)
    },
  })
  open(app, ground, desk.commentOnRequest, {
    audit: ['request.commented'],
    idempotent: true,
    notifies: ['request.answered'],
    example: { comment: 'On its way.' },
    handler: async (staff, { id, comment }) => {
      await commentOnRequest(staff, id, comment)
      return shown(staff, id)
    },
  })
  openTypes(app, ground)
}

function openTypes(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listRequestTypes, async (staff) => ({ types: await listRequestTypes(staff) }))
  open(app, ground, desk.addRequestType, {
    audit: ['request-type.added'],
    idempotent: true,
    handler: async (staff, input) => ({ types: await addRequestType(staff, input) }),
  })
  open(app, ground, desk.changeRequestType, {
    audit: ['request-type.changed'],
    idempotent: true,
    handler: async (staff, input) => ({ types: await changeRequestType(staff, input) }),
  })
  open(app, ground, desk.archiveRequestType, {
    audit: ['request-type.archived'],
    idempotent: true,
    example: { archived: true },
    handler: async (staff, { id, archived }) => ({
      types: await archiveRequestType(staff, id, archived),
    }),
  })
  open(app, ground, desk.orderRequestTypes, {
    audit: ['request-types.ordered'],
    idempotent: true,
    handler: async (staff, { types }) => ({
      types: await orderRequestTypes(staff, types),
    }),
  })
}
