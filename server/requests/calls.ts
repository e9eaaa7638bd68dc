import * as forms from '@atrium/contract/forms.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/request-texts.ts'
import * as contract from '@atrium/contract/requests.ts'
import type { FastifyInstance } from 'fastify'
import { gatherAnswers, spellRequest } from '../forms/spelled-form.ts'
import type { Ground } from '../foundation/ground.ts'
import { makeFormTaker } from '../http/form-files.ts'
import { open } from '../http/route.ts'
import { changeOwnRequest } from './cancel.ts'
import { wireRequest } from './request.ts'
import { sendRequest } from './send.ts'
import { submitForm } from './submit.ts'

export function openRequestCalls(app: FastifyInstance, ground: Ground): void {
  open(
    app,
    ground,
    contract.sendRequest,
    async (member, input, { coming }) => ({
      msg: [requestTexts.sent],
      request: await sendRequest(member, input, coming),
    }),
    { takeForm: makeFormTaker(ground), respell: spellRequest },
  )
  // A form that is sent by itself may become a request of the type that offers it.
  open(
    app,
    ground,
    forms.submitForm,
    async (member, input, { coming }) => {
      const submission = await submitForm(member, input, coming)
      return { msg: [submission.request ? requestTexts.sent : submissionTexts.sent], submission }
    },
    { takeForm: makeFormTaker(ground), respell: gatherAnswers },
  )
  open(app, ground, contract.changeRequestStatus, async (member, input) => ({
    msg: [requestTexts.cancelled],
    request: wireRequest(await changeOwnRequest(member, input)),
  }))
}
