import * as desk from '@atrium/contract/requests/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Staff } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
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

export function openDeskRequestCalls(app: FastifyInstance, context: Context): void {
  const shown = async (staff: Staff, id: string) => ({ request: await readDeskRequest(staff, id) })

  openList(
    app,
    context,
    { list: desk.listDeskRequests, table: desk.exportDeskRequests },
    {
      ...deskRequests,
      table: (staff, { status, ...filter }) =>
        deskRequests.table(staff, status === 'all' ? filter : { ...filter, status }),
    },
  )
  open(app, context, desk.readDeskRequest, (staff, { id }) => shown(staff, id))
  open(app, context, desk.assignRequest, {
    audit: ['request.moved'],
    idempotent: true,
    duringErasure: 'impersonal',
    handler: async (staff, { id, ...hands }) => {
      await assignRequest(staff, id, hands)
      return shown(staff, id)
    },
  })
  open(app, context, desk.moveRequest, {
    audit: ['request.moved'],
    idempotent: true,
    notifies: ['request.decided'],
    example: { from: 'not-assigned', to: 'rejected', comment: 'A proof is missing.' },
    handler: async (staff, input) => {
      await decideRequest(staff, input)
      return shown(staff, input.id)
    },
  })
  open(app, context, desk.commentOnRequest, {
    audit: ['request.commented'],
    idempotent: true,
    notifies: ['request.answered'],
    example: { comment: 'On its way.' },
    handler: async (staff, { id, comment }) => {
      await commentOnRequest(staff, id, comment)
      return shown(staff, id)
    },
  })
  openTypes(app, context)
}

function openTypes(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listRequestTypes, async (staff) => ({ types: await listRequestTypes(staff) }))
  open(app, context, desk.addRequestType, {
    audit: ['request-type.added'],
    idempotent: true,
    handler: async (staff, input) => ({ types: await addRequestType(staff, input) }),
  })
  open(app, context, desk.changeRequestType, {
    audit: ['request-type.changed'],
    idempotent: true,
    handler: async (staff, input) => ({ types: await changeRequestType(staff, input) }),
  })
  open(app, context, desk.archiveRequestType, {
    audit: ['request-type.archived'],
    idempotent: true,
    example: { archived: true },
    handler: async (staff, { id, archived }) => ({
      types: await archiveRequestType(staff, id, archived),
    }),
  })
  open(app, context, desk.orderRequestTypes, {
    audit: ['request-types.ordered'],
    idempotent: true,
    handler: async (staff, { types, seen }) => ({
      types: await orderRequestTypes(staff, types, seen),
    }),
  })
}
