import * as desk from '@atrium/contract/tickets/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import { spoolFolder, spoolUpload } from '../files/spool.ts'
import { makeInspections, makeUploadLimit } from '../files/upload-limit.ts'
import type { Staff } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { addCannedReply, archiveCannedReply, changeCannedReply, listCannedReplies } from './canned-replies.ts'
import { assignTicket, changeDeskTicket, markTicketRead, noteOnTicket, replyToTicket } from './desk-answers.ts'
import { attachToTicket } from './desk-attachment.ts'
import { deskTickets } from './desk-list.ts'
import { readDeskTicket } from './desk-queries.ts'
import { mergeTicket } from './merge.ts'
import { readTicketMetrics } from './ticket-metrics.ts'

export function openDeskTicketCalls(app: FastifyInstance, context: Context): void {
  const within = makeUploadLimit()
  const inspect = makeInspections()
  const shown = async (staff: Staff, id: string) => ({ ticket: await readDeskTicket(staff, id) })

  openList(app, context, desk.deskTicketCalls, deskTickets)
  open(app, context, desk.readDeskTicket, (staff, { id }) => shown(staff, id))
  open(app, context, desk.markTicketRead, {
    unaudited: 'it only records how far a person has read',
    touches: ['ticket_reads'],
    idempotent: true,
    handler: async (staff, { id }) => {
      await markTicketRead(staff, id)
      return {}
    },
  })
  open(app, context, desk.assignTicket, {
    audit: ['ticket.taken'],
    idempotent: true,
    duringErasure: 'impersonal',
    handler: async (staff, { id, ...hands }) => {
      await assignTicket(staff, id, hands)
      return shown(staff, id)
    },
  })
  open(app, context, desk.replyToTicket, {
    audit: ['ticket.answered', 'ticket.taken'],
    idempotent: true,
    notifies: ['ticket.answered'],
    example: { content: 'Good morning.' },
    handler: async (staff, input) => {
      await replyToTicket(staff, input)
      return shown(staff, input.id)
    },
  })
  open(app, context, desk.attachToTicket, {
    audit: ['file.uploaded', 'ticket.answered', 'ticket.taken'],
    idempotent: true,
    notifies: ['ticket.answered'],
    body: 'multipart',
    handler: async (staff, { id }, exchange) => {
      await within(staff, async () => {
        // Before a place is taken, which a slow connection would keep from everybody else.
        const spooled = await spoolUpload(exchange, spoolFolder(context.config.dataDirectory), 'ticket')
        await inspect(staff, () => attachToTicket(staff, id, spooled)).finally(spooled.remove)
      })
      return shown(staff, id)
    },
  })
  open(app, context, desk.noteOnTicket, {
    audit: ['ticket.noted'],
    idempotent: true,
    example: { content: 'Asked twice already' },
    handler: async (staff, { id, content }) => {
      await noteOnTicket(staff, id, content)
      return shown(staff, id)
    },
  })
  open(app, context, desk.changeDeskTicket, {
    audit: ['ticket.priority-changed', 'ticket.resolved'],
    idempotent: true,
    notifies: ['ticket.closed'],
    duringErasure: 'impersonal',
    example: { status: 'resolved', priority: 'high' },
    handler: async (staff, input) => {
      await changeDeskTicket(staff, input)
      return shown(staff, input.id)
    },
  })
  open(app, context, desk.mergeTicket, {
    audit: ['ticket.merged'],
    idempotent: true,
    notifies: ['ticket.merged'],
    duringErasure: 'impersonal',
    handler: async (staff, { id, into }) => {
      await mergeTicket(staff, id, into)
      return shown(staff, id)
    },
  })
  open(app, context, desk.readTicketMetrics, async (staff, { days }) => ({
    figures: await readTicketMetrics(staff, Number(days)),
  }))
  openCannedReplies(app, context)
}

function openCannedReplies(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listCannedReplies, async (staff) => ({ replies: await listCannedReplies(staff) }))
  open(app, context, desk.addCannedReply, {
    audit: ['canned-reply.added'],
    idempotent: true,
    handler: async (staff, input) => ({ replies: await addCannedReply(staff, input) }),
  })
  open(app, context, desk.changeCannedReply, {
    audit: ['canned-reply.changed'],
    idempotent: true,
    handler: async (staff, input) => ({ replies: await changeCannedReply(staff, input) }),
  })
  open(app, context, desk.archiveCannedReply, {
    audit: ['canned-reply.archived'],
    idempotent: true,
    handler: async (staff, { id }) => ({
      replies: await archiveCannedReply(staff, id),
    }),
  })
}
