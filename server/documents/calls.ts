import * as contract from '@atrium/contract/documents/calls.ts'
import * as identity from '@atrium/contract/documents/identity.ts'
import { generalSet } from '@atrium/contract/documents/states.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Member } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { type Body, idOf } from '../foundation/form-fields.ts'
import { open } from '../http/route.ts'
import { addDocuments } from './add-documents.ts'
import { openIdentityCallbacks } from './identity-callbacks.ts'
import { readIdentityCheck, startIdentityCheck } from './identity-check.ts'
import { listCategories } from './queries.ts'
import { readKycDocuments } from './requirements.ts'

export function openDocumentCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.searchFileCategories, {
    scopes: ['documents'],
    handler: async (member, { kyc_category_id }) => ({
      categories: await searchCategories(member, kyc_category_id),
    }),
  })

  open(app, context, contract.addDocuments, {
    scopes: ['documents'],
    audit: ['document.added'],
    idempotent: true,
    respell: ofCustomer,
    handler: async (member, input) => ({ msg: [documentTexts.added], ...(await addDocuments(member, input)) }),
  })

  open(app, context, identity.readIdentityCheck, {
    scopes: ['documents'],
    handler: (member) => readIdentityCheck(member),
  })
  open(app, context, identity.startIdentityCheck, {
    scopes: ['documents'],
    audit: ['identity-check.known-to-vendor', 'identity-check.started'],
    idempotent: true,
    commits: 2,
    handler: (member) => startIdentityCheck(member),
  })
  openIdentityCallbacks(app, context)
}

/** The general set or the member's own; other sets are not visible to the member. */
function searchCategories(member: Member, asked: string) {
  return reading(member, async (tx) => {
    const own = await readKycDocuments(tx, member, member.memberId)
    if (asked !== generalSet && asked !== own.kyc_category_id) refuseNotFound()
    return listCategories(tx, member, { kyc_category_id: asked === generalSet ? null : asked, archived: false })
  })
}

/** Accepts the customer as an object that holds the documents, and documents as objects with an id. */
function ofCustomer(body: Body): Body {
  const { customer } = body
  const within = typeof customer === 'object' && customer !== null && 'documents' in customer ? customer.documents : []
  const documents = body.documents ?? within
  return {
    ...body,
    ...(customer !== undefined && { customer: idOf(customer) }),
    documents: Array.isArray(documents) ? documents.map(idOf) : documents,
  }
}
