import { requestTexts } from '@atrium/contract/request-texts.ts'
import * as contract from '@atrium/contract/requests.ts'
import type { FastifyInstance } from 'fastify'
import { spellRequest } from '../forms/spelled-form.ts'
import type { Ground } from '../foundation/ground.ts'
import { makeFormTaker } from '../http/form-files.ts'
import { open } from '../http/route.ts'
import { changeOwnRequest } from './cancel.ts'
import { wireRequest } from './request.ts'
import { sendRequest } from './send.ts'

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
  open(app, ground, contract.changeRequestStatus, async (member, input) => ({
    msg: [requestTexts.cancelled],
    request: wireRequest(await changeOwnRequest(member, input)),
  }))
}
