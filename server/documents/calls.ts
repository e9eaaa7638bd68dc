import * as contract from '@atrium/contract/documents/calls.ts'
import * as identity from '@atrium/contract/documents/identity.ts'
import { generalSet } from '@atrium/contract/documents/states.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Member } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { type Body, idOf } from '../foundation/form-fields.ts'
import { open } from '../http/route.ts'
import { addDocuments, findOpenRequest } from './add-documents.ts'
import { openIdentityCallbacks } from './identity-callbacks.ts'
import { readIdentityCheck, startIdentityCheck } from './identity-check.ts'
import { listCategories, listCategoriesByIds } from './queries.ts'
import { readKycDocuments } from './requirements.ts'

export function openDocumentCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.searchFileCategories, {
    scopes: ['documents'],
    handler: async (member, asked) => ({ categories: await searchCategories(member, asked) }),
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

type Asked = z.output<(typeof contract.searchFileCategories)['input']>

/** The general set, the member's own, or the category of a request; other sets are not visible to the member. */
function searchCategories(member: Member, { kyc_category_id: asked, request }: Asked) {
  return reading(member, async (tx) => {
    if (request !== undefined) {
      const { file_category_id } = (await findOpenRequest(tx, member, request)) ?? refuseNotFound()
      return listCategoriesByIds(tx, member, [file_category_id])
    }
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
