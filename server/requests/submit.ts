import type { submitForm as call } from '@atrium/contract/requests/form-calls.ts'
import type { z } from 'zod'
import type { IncomingFiles } from '../files/incoming-files.ts'
import { findShownForm } from '../forms/form.ts'
import { findOfDraft, findSameAnswers, judgeAnswers, keepAnswers } from '../forms/submission.ts'
import { authorize, type Member, systemActor } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import { fileRequest, findTypeOfForm } from './file-request.ts'

type Input = z.output<(typeof call)['input']>
export type Submitted = z.output<(typeof call)['answer']>['submission']

/** One limit for forms and requests together. */
const perMember: Limit = { name: 'forms', triesMax: 60, windowSeconds: 3_600 }

/** A form with files is checked twice and counted once. */
export async function countTry(member: Member, coming: IncomingFiles | undefined): Promise<void> {
  if (!coming?.arePrepared) await takeTry(systemActor(member.context, member.workspaceId), perMember, member.memberId)
}

/**
 * Submits a form by itself. A form for requests creates a request of the type that offers it, since staff would not see
 * it otherwise.
 */
export async function submitForm(member: Member, input: Input, coming?: IncomingFiles): Promise<Submitted> {
  authorize(member, 'requests', 'documents')
  await countTry(member, coming)
  return inTransaction(member, async (tx) => {
    await holdMember(tx, member, member.memberId)
    const { nonce_token: token, ...body } = input
    const claimed = token
      ? await claimUniqueToken<Submitted>(tx, member, { token, purpose: 'form_submit', body })
      : null
    if (claimed?.earlier) return claimed.earlier
    const submitted = (await sentBefore()) ?? (await send())
    await claimed?.keep(submitted)
    return submitted

    async function sentBefore(): Promise<Submitted | null> {
      const earlier = await findOfDraft(tx, member, input)
      return earlier && shape(earlier)
    }

    async function send(): Promise<Submitted> {
      const form = (await findShownForm(tx, member, input.form)) ?? refuseNotFound()
      // Permission for documents alone does not include requests.
      if (form.is_request) authorize(member, 'requests')
      const judged = await judgeAnswers(tx, member, form, input)
      const same = await findSameAnswers(tx, member, judged)
      if (same) return shape(same)
      const type = form.is_request ? await findTypeOfForm(tx, member, form.form_id) : null
      if (form.is_request && !type) refuseNotFound()
      const requestId = type ? (await fileRequest(tx, member, type, judged)).request_id : null
      const answersId = await keepAnswers(tx, member, judged, { requestId, coming })
      return { _id: answersId, scores: judged.scores, request: requestId }
    }
  })
}

type Sent = NonNullable<Awaited<ReturnType<typeof findSameAnswers>>>

const shape = ({ answers_id, request_id, score, band }: Sent): Submitted => ({
  _id: answers_id,
  scores: score === null ? null : { total: Number(score), band: band as { name: string; text: string } | null },
  request: request_id,
})
