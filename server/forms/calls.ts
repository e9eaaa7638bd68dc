import * as contract from '@atrium/contract/forms.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/request-texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { makeFormTaker } from '../http/form-files.ts'
import { open } from '../http/route.ts'
import { submitForm } from '../requests/submit.ts'
import { discardOwnDraft, readOwnDraft, saveOwnDraft } from './drafts.ts'
import { gatherAnswers } from './spelled-form.ts'

export function openFormCalls(app: FastifyInstance, ground: Ground): void {
  open(
    app,
    ground,
    contract.submitForm,
    async (member, input, { coming }) => {
      const submission = await submitForm(member, input, coming)
      return { msg: [submission.request ? requestTexts.sent : submissionTexts.sent], submission }
    },
    { takeForm: makeFormTaker(ground), respell: gatherAnswers },
  )
  open(app, ground, contract.readDraft, (member, { form }) => readOwnDraft(member, form))
  open(app, ground, contract.saveDraft, async (member, input) => ({ draft: await saveOwnDraft(member, input) }))
  open(app, ground, contract.discardDraft, async (member, { form }) => {
    await discardOwnDraft(member, form)
    return {}
  })
}
