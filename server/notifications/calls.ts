import { profileTexts } from '@atrium/contract/members/texts.ts'
import * as contract from '@atrium/contract/notifications/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { type Limit, networkOf, takeTry } from '../foundation/rate-limit.ts'
import { open, openEvents } from '../http/route.ts'
import { endMailsBy, readWishes, saveWish } from './mail-wishes.ts'
import { type HubOptions, openNoticeHub } from './notice-hub.ts'
import { markAllRead, markRead, readNotices, readOwnBox } from './notices.ts'

/** More than anybody clicks, and too few to try out what a seal looks like. */
const endings: Limit = { name: 'end-mails-network', triesMax: 60, windowSeconds: 15 * 60 }

export function openNoticeCalls(app: FastifyInstance, ground: Ground, gates: Pick<HubOptions, 'checkGates'>): void {
  const hub = openNoticeHub(ground, gates)
  // Before the server waits for open connections: these would never end by themselves.
  app.addHook('preClose', async () => hub.close())

  open(app, ground, contract.listNotices, {
    scopes: ['all'],
    handler: (member, input) => readNotices(member, input),
  })

  open(app, ground, contract.readNotice, {
    scopes: ['all'],
    unaudited: 'what somebody has read is their own',
    touches: ['notice_boxes', 'notices'],
    idempotent: true,
    handler: (member, { id }) => markRead(member, id),
  })

  open(app, ground, contract.readAllNotices, {
    scopes: ['all'],
    unaudited: 'what somebody has read is their own',
    touches: ['notice_boxes', 'notices'],
    idempotent: true,
    handler: (member, { number }) => markAllRead(member, number),
  })

  openEvents(app, ground, contract.watchNotices, {
    scopes: ['all'],
    once: (member) => readOwnBox(member),
    follow: async (member, _, { request }) => hub.follow(member, lastIdOf(request.headers['last-event-id'])),
  })

  open(app, ground, contract.readMailWishes, {
    scopes: ['profile'],
    handler: async (member) => ({ groups: await readWishes(member) }),
  })

  open(app, ground, contract.saveMailWish, {
    scopes: ['profile'],
    audit: ['mail-wishes.changed'],
    idempotent: true,
    example: { group: 'support', is_mailed: false },
    handler: async (member, input) => ({
      groups: await saveWish(member, input),
      msg: [profileTexts.mailWishSaved],
    }),
  })

  open(app, ground, contract.endMails, {
    audit: ['mail-wishes.changed'],
    idempotent: true,
    handler: async (system, { token }) => {
      await takeTry(system, endings, networkOf(system.address))
      return { group: await endMailsBy(system, token) }
    },
  })
}

const lastIdOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
