import * as contract from '@atrium/contract/terms/calls.ts'
import * as desk from '@atrium/contract/terms/desk-calls.ts'
import { termsTexts } from '@atrium/contract/terms/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { digestOf } from '../foundation/pending-terms.ts'
import { clientAddress } from '../http/client-address.ts'
import { openList } from '../http/list-route.ts'
import { open, refuseUnattended } from '../http/route.ts'
import { acceptTerms } from './acceptance.ts'
import { acceptances } from './acceptances.ts'
import { listDeskTerms, readDeskTerms } from './desk-queries.ts'
import { readMemberTerms } from './member-terms.ts'
import { readPendingTerms } from './queries.ts'
import { createTerms, orderTerms, publishTerms, retireTerms, saveTerms } from './template.ts'

export function openTermsCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.readTerms, {
    scopes: ['all'],
    beforeTerms: true,
    handler: async (member) => {
      return { terms: await readPendingTerms(member), digest: digestOf(member.terms) }
    },
  })

  for (const call of [contract.acceptTerms, contract.acceptTermsWithoutSlash]) {
    open(app, context, call, {
      scopes: ['all'],
      beforeTerms: true,
      audit: ['terms.accepted'],
      idempotent: true,
      handler: async (member, input, { request }) => {
        const userAgent = request.headers['user-agent'] ?? null
        await acceptTerms(member, input, { address: clientAddress(request), userAgent })
        return { msg: [termsTexts.termsAccepted] }
      },
    })
  }
}

export function openDeskTermsCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listDeskTerms, async (staff) => ({ terms: await listDeskTerms(staff) }))

  open(app, context, desk.readDeskTerms, async (staff, { id }) => ({ terms: await readDeskTerms(staff, id) }))

  open(app, context, desk.createTerms, {
    audit: ['terms.created'],
    idempotent: true,
    handler: async (staff, input) => {
      return { terms: await readDeskTerms(staff, await createTerms(staff, input)) }
    },
  })

  open(app, context, desk.saveTerms, {
    audit: ['terms.saved'],
    idempotent: true,
    handler: async (staff, input) => {
      await saveTerms(staff, input)
      return { terms: await readDeskTerms(staff, input.id) }
    },
  })

  open(app, context, desk.publishTerms, {
    audit: ['terms.published'],
    idempotent: true,
    handler: async (staff, input) => {
      await refuseUnattended(staff)
      await publishTerms(staff, input)
      return { terms: await readDeskTerms(staff, input.id) }
    },
  })

  open(app, context, desk.retireTerms, {
    audit: ['terms.retired'],
    idempotent: true,
    handler: async (staff, { id }) => {
      await refuseUnattended(staff)
      await retireTerms(staff, id)
      return { terms: await readDeskTerms(staff, id) }
    },
  })

  open(app, context, desk.orderTerms, {
    audit: ['terms.ordered'],
    idempotent: true,
    handler: async (staff, { ids, seen }) => {
      await orderTerms(staff, ids, seen)
      return { terms: await listDeskTerms(staff) }
    },
  })

  openList(app, context, desk.acceptanceCalls, acceptances)

  open(app, context, desk.listMemberTerms, async (staff, { id }) => ({ terms: await readMemberTerms(staff, id) }))
}
