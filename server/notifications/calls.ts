import { profileTexts } from '@atrium/contract/members/texts.ts'
import * as contract from '@atrium/contract/notifications/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open, openEvents } from '../http/route.ts'
import { type HubOptions, openNotificationHub } from './notification-hub.ts'
import { endMailsBy, readPreferences, savePreference } from './notification-preferences.ts'
import { markAllRead, markRead, readNotifications, readOwnBox } from './notifications.ts'

export function openNotificationCalls(
  app: FastifyInstance,
  context: Context,
  options: Pick<HubOptions, 'checkStreamAccess'>,
): void {
  const hub = openNotificationHub(context, options)
  // Runs before the server waits for open connections: event streams do not end by themselves.
  app.addHook('preClose', async () => hub.close())

  open(app, context, contract.listNotifications, {
    scopes: ['all'],
    handler: (member, input) => readNotifications(member, input),
  })

  open(app, context, contract.readNotification, {
    scopes: ['all'],
    unaudited: 'what a person has read is private',
    touches: ['notice_boxes', 'notices'],
    idempotent: true,
    handler: (member, { id }) => markRead(member, id),
  })

  open(app, context, contract.readAllNotifications, {
    scopes: ['all'],
    unaudited: 'what a person has read is private',
    touches: ['notice_boxes', 'notices'],
    idempotent: true,
    handler: (member, { number }) => markAllRead(member, number),
  })

  openEvents(app, context, contract.watchNotifications, {
    scopes: ['all'],
    once: (member) => readOwnBox(member),
    follow: async (member, _, { request }) => hub.follow(member, lastIdOf(request.headers['last-event-id'])),
  })

  open(app, context, contract.readNotificationPreferences, {
    scopes: ['profile'],
    handler: async (member) => ({ groups: await readPreferences(member) }),
  })

  open(app, context, contract.saveNotificationPreference, {
    scopes: ['profile'],
    audit: ['mail-wishes.changed'],
    idempotent: true,
    example: { group: 'support', is_mailed: false },
    handler: async (member, input) => ({
      groups: await savePreference(member, input),
      msg: [profileTexts.notificationPreferenceSaved],
    }),
  })

  open(app, context, contract.endMails, {
    audit: ['mail-wishes.changed'],
    idempotent: true,
    handler: async (system, { token }) => ({ group: await endMailsBy(system, token) }),
  })
}

const lastIdOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined
