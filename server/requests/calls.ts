import * as contract from '@atrium/contract/requests/calls.ts'
import { submitForm as submitCall } from '@atrium/contract/requests/form-calls.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/requests/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { makeFormTaker } from '../http/form-files.ts'
import { open } from '../http/route.ts'
import { changeOwnRequest } from './cancel.ts'
import { wireRequest } from './request.ts'
import { normalizeRequest, normalizeSubmission } from './request-body.ts'
import { sendRequest } from './send.ts'
import { submitForm } from './submit.ts'

export function openRequestCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.sendRequest, {
    scopes: ['requests'],
    audit: ['form.submitted', 'request.sent'],
    idempotent: true,
    takeForm: makeFormTaker(context),
    respell: normalizeRequest,
    handler: async (member, input, { coming }) => ({
      msg: [requestTexts.sent],
      request: await sendRequest(member, input, coming),
    }),
  })
  // Submitting a form may create a request of the type that offers it.
  open(app, context, submitCall, {
    scopes: ['requests', 'documents'],
    audit: ['form.submitted'],
    idempotent: true,
    takeForm: makeFormTaker(context),
    respell: normalizeSubmission,
    handler: async (member, input, { coming }) => {
      const submission = await submitForm(member, input, coming)
      return { msg: [submission.request ? requestTexts.sent : submissionTexts.sent], submission }
    },
  })
  open(app, context, contract.changeRequestStatus, {
    scopes: ['requests'],
    audit: ['request.cancelled'],
    idempotent: true,
    example: { new_status: 'canceled', comment: 'Not needed any more' },
    handler: async (member, input) => ({
      msg: [requestTexts.cancelled],
      request: wireRequest(await changeOwnRequest(member, input)),
    }),
  })
}
