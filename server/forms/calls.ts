import * as contract from '@atrium/contract/forms.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open } from '../http/route.ts'
import { discardOwnDraft, readOwnDraft, saveOwnDraft } from './drafts.ts'

export function openFormCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, contract.readDraft, (member, { form }) => readOwnDraft(member, form))
  open(app, ground, contract.saveDraft, async (member, input) => ({ draft: await saveOwnDraft(member, input) }))
  open(app, ground, contract.discardDraft, async (member, { form }) => {
    await discardOwnDraft(member, form)
    return {}
  })
}
