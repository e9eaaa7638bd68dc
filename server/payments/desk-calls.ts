import * as exceptions from '@atrium/contract/payments/exceptions.ts'
import * as contract from '@atrium/contract/payments/providers.ts'
import * as webhookEvents from '@atrium/contract/payments/webhook-events.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { addProvider, connectProvider } from './connections/desk-connection.ts'
import { setProviderLogo } from './connections/desk-logo.ts'
import { offerProvider } from './connections/desk-offer.ts'
import { listProviders, readDeskProvider } from './connections/desk-providers.ts'
import { testProvider } from './connections/desk-test.ts'
import { deskWebhookEvents, readRawWebhookEvent, replayWebhookEvent } from './desk-webhook-events.ts'
import { decideException } from './exceptions/exception-decision.ts'
import { deskExceptions, readException } from './exceptions/exception-queries.ts'

export function openDeskProviderCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.listProviders, async (staff) => ({ providers: await listProviders(staff) }))
  open(app, context, contract.readProvider, async (staff, { id }) => ({ provider: await readDeskProvider(staff, id) }))
  open(app, context, contract.addProvider, {
    audit: ['payment-provider.added'],
    idempotent: true,
    handler: async (staff, { app_uid }) => ({
      provider: await readDeskProvider(staff, await addProvider(staff, app_uid)),
    }),
  })
  open(app, context, contract.connectProvider, {
    audit: ['payment-provider.connection-changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await connectProvider(staff, input)
      return { provider: await readDeskProvider(staff, input.id) }
    },
  })
  open(app, context, contract.offerProvider, {
    audit: ['payment-provider.offer-changed'],
    idempotent: true,
    handler: async (staff, input) => {
      await offerProvider(staff, input)
      return { provider: await readDeskProvider(staff, input.id) }
    },
  })
  open(app, context, contract.setProviderLogo, {
    audit: ['payment-provider.logo-changed'],
    repeats: 'the newest is shown, older ones stay for emails that were sent',
    handler: async (staff, input) => {
      await setProviderLogo(staff, input)
      return { provider: await readDeskProvider(staff, input.id) }
    },
  })
  openList(app, context, exceptions.exceptionCalls, deskExceptions)
  open(app, context, exceptions.decideException, {
    audit: ['deposit.approved-by-desk', 'order.paid', 'payment-case.decided'],
    idempotent: true,
    duringErasure: 'pending',
    example: { decision: 'credit_agreed' },
    handler: async (staff, input) => {
      await decideException(staff, input)
      return { case: await readException(staff, input.id) }
    },
  })
  openList(app, context, webhookEvents.webhookEventCalls, deskWebhookEvents)
  open(app, context, webhookEvents.readWebhookEvent, {
    audit: ['payment-notification.viewed'],
    handler: async (staff, { id }) => ({
      notification: await readRawWebhookEvent(staff, id),
    }),
  })
  open(app, context, webhookEvents.replayWebhookEvent, {
    audit: ['payment-notification.replayed'],
    idempotent: true,
    handler: async (staff, { id }) => {
      await replayWebhookEvent(staff, id)
      return {}
    },
  })
  open(app, context, contract.testProvider, {
    audit: ['payment-provider.tested'],
    repeats: 'each test asks the provider again',
    handler: (staff, { id }) => testProvider(staff, id),
  })
}
