import * as desk from '@atrium/contract/notifications/dead-letters.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { dismissMail, tryAgain, tryAllAgain } from './dead-letter-retry.ts'
import { deadLetterMails } from './dead-letters.ts'

export function openDeskMailCalls(app: FastifyInstance, context: Context): void {
  openList(app, context, desk.deadLetterCalls, deadLetterMails)
  open(app, context, desk.tryMailAgain, {
    audit: ['mail.tried-again'],
    idempotent: true,
    duringErasure: 'deleted',
    handler: async (staff, { id }) => {
      await tryAgain(staff, id)
      return {}
    },
  })
  open(app, context, desk.tryAllMailsAgain, {
    audit: ['mail.tried-again'],
    idempotent: true,
    duringErasure: 'deleted',
    handler: (staff, asked) => tryAllAgain(staff, asked),
  })
  open(app, context, desk.leaveMail, {
    audit: ['mail.left'],
    idempotent: true,
    duringErasure: 'deleted',
    handler: async (staff, { id }) => {
      await dismissMail(staff, id)
      return {}
    },
  })
}
