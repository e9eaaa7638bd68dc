import * as desk from '@atrium/contract/notifications/dead-letters.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { leaveAsItIs, tryAgain, tryAllAgain } from './seeing-to.ts'
import { undeliveredMails } from './undelivered.ts'

export function openDeskMailCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listUndelivered, undeliveredMails.read)
  openTable(app, ground, desk.exportUndelivered, {
    audit: ['mails.exported'],
    handler: undeliveredMails.table,
  })
  open(app, ground, desk.tryMailAgain, {
    audit: ['mail.tried-again'],
    idempotent: true,
    handler: async (staff, { id }) => {
      await tryAgain(staff, id)
      return {}
    },
  })
  open(app, ground, desk.tryAllMailsAgain, {
    audit: ['mail.tried-again'],
    idempotent: true,
    handler: (staff, asked) => tryAllAgain(staff, asked),
  })
  open(app, ground, desk.leaveMail, {
    audit: ['mail.left'],
    idempotent: true,
    handler: async (staff, { id }) => {
      await leaveAsItIs(staff, id)
      return {}
    },
  })
}
