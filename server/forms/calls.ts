import * as contract from '@atrium/contract/forms/calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { discardOwnDraft, readOwnDraft, saveOwnDraft } from './drafts.ts'

export function openFormCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.readDraft, {
    scopes: ['requests', 'documents'],
    handler: (member, { form }) => readOwnDraft(member, form),
  })
  open(app, context, contract.saveDraft, {
    scopes: ['requests', 'documents'],
    audit: ['form.draft-begun'],
    idempotent: true,
    handler: async (member, input) => ({ draft: await saveOwnDraft(member, input) }),
  })
  open(app, context, contract.discardDraft, {
    scopes: ['requests', 'documents'],
    audit: ['form.draft-discarded'],
    idempotent: true,
    handler: async (member, { form }) => {
      await discardOwnDraft(member, form)
      return {}
    },
  })
}
