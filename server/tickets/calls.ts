import * as contract from '@atrium/contract/tickets/calls.ts'
import { ticketTexts } from '@atrium/contract/tickets/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { createTicket } from './create.ts'
import { respondToTicket } from './respond.ts'
import { wireTicket } from './ticket.ts'
import { changeOwnTicket, readOwnTicket } from './update.ts'

export function openTicketCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.createTicket, {
    scopes: ['support'],
    audit: ['ticket.created'],
    idempotent: true,
    example: { subject: 'Where is it?', description: 'My deposit has not arrived.', type: 'profile' },
    handler: async (member, input) => {
      const ticket = await createTicket(member, input)
      return { msg: [ticketTexts.created], ticket, data: { ticket } }
    },
  })
  open(app, context, contract.updateTicket, {
    scopes: ['support'],
    audit: ['ticket.priority-changed', 'ticket.resolved'],
    idempotent: true,
    // The specification's other word for taken.
    respell: (body) => (body.status === 'in_progress' ? { ...body, status: 'taken' } : body),
    example: { status: 'resolved', priority: 'high' },
    handler: async (member, input) => {
      const ticket = wireTicket(await changeOwnTicket(member, input))
      const said = input.status === 'resolved' ? ticketTexts.resolved : ticketTexts.updated
      return { msg: [said.replace('{{ticket}}', ticket.ticket)], ticket }
    },
  })
  open(app, context, contract.respondToTicket, {
    scopes: ['support'],
    audit: ['ticket.answered'],
    idempotent: true,
    handler: async (member, { _id, response }) => ({
      msg: response.type === 'attachment' ? [ticketTexts.attachmentAdded] : [],
      ...(await respondToTicket(member, _id, response)),
    }),
  })
  open(app, context, contract.readTicket, {
    scopes: ['support'],
    unaudited: 'it only records how far a person has read',
    touches: ['tickets'],
    idempotent: true,
    handler: async (member, { _id }) => {
      await readOwnTicket(member, _id)
      return {}
    },
  })
}
