import type { sendRequest as call, WireRequest } from '@atrium/contract/requests/calls.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { z } from 'zod'
import type { IncomingFiles } from '../files/incoming-files.ts'
import { findShownForm } from '../forms/form.ts'
import {
  findOfDraft,
  findSameAnswers,
  type Judged,
  judgeAnswers,
  keepAnswers,
  sameWithinMs,
} from '../forms/submission.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuseFields } from '../foundation/errors.ts'
import { claimUniqueToken } from '../sessions/unique-token.ts'
import type { RequestRow } from './event.ts'
import { fileRequest, findOfferedType, type OfferedType } from './file-request.ts'
import { wireRequest } from './request.ts'
import { countTry } from './submit.ts'

type Input = z.output<(typeof call)['input']>

/** Sends a request of an offered type with the answers to its form. Idempotent. */
export async function sendRequest(member: Member, input: Input, coming?: IncomingFiles): Promise<WireRequest> {
  authorize(member, 'requests')
  if (input.customer !== undefined && input.customer.toLowerCase() !== member.memberId)
    refuseFields({ customer: [texts.valueRefused] })
  await countTry(member, coming)
  return inTransaction(member, async (tx) => {
    await holdMember(tx, member, member.memberId)
    const { nonce_token: token, ...filled } = input.form_submit
    const body = { type: input.request.request_type, ...filled }
    const claimed = token
      ? await claimUniqueToken<WireRequest>(tx, member, { token, purpose: 'form_submit', body })
      : null
    if (claimed?.earlier) return claimed.earlier
    const request = wireRequest((await findSentBefore(tx, member, input)) ?? (await sendNew(tx, member, input, coming)))
    await claimed?.keep(request)
    return request
  })
}

async function findSentBefore(tx: Tx, member: Member, { form_submit }: Input): Promise<RequestRow | null> {
  const earlier = await findOfDraft(tx, member, form_submit)
  return earlier?.request_id ? readRequest(tx, member, earlier.request_id) : null
}

async function sendNew(
  tx: Tx,
  member: Member,
  { request, form_submit }: Input,
  coming: IncomingFiles | undefined,
): Promise<RequestRow> {
  const type = await findOfferedType(tx, member, request.request_type)
  if (!type) refuseFields({ request_type: [requestTexts.typeUnknown] })
  if ((form_submit.form?.toLowerCase() ?? null) !== type.form_id) refuseFields({ form: [requestTexts.formOther] })
  const judged = type.form_id === null ? null : await judge(tx, member, type.form_id, form_submit)
  const same = judged ? await findSame(tx, member, type, judged) : await findWithoutForm(tx, member, type)
  if (same) return same
  const row = await fileRequest(tx, member, type, judged)
  if (judged) await keepAnswers(tx, member, judged, { requestId: row.request_id, coming })
  return row
}

async function judge(tx: Tx, member: Member, formId: string, entered: Input['form_submit']): Promise<Judged> {
  const form = await findShownForm(tx, member, formId)
  // The form is archived, so nobody can fill it in.
  if (!form) refuseFields({ request_type: [requestTexts.typeUnknown] })
  return judgeAnswers(tx, member, form, entered)
}

async function findSame(tx: Tx, member: Member, type: OfferedType, judged: Judged): Promise<RequestRow | null> {
  const same = await findSameAnswers(tx, member, judged)
  const row = same?.request_id ? await readRequest(tx, member, same.request_id) : null
  return row?.request_type_id === type.request_type_id ? row : null
}

/** For a type without a form: another one shortly after is a double click, unless the first was cancelled. */
async function findWithoutForm(tx: Tx, member: Member, type: OfferedType): Promise<RequestRow | null> {
  const since = new Date(member.context.clock.now().getTime() - sameWithinMs)
  const row = await tx
    .selectFrom('requests')
    .selectAll()
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('request_type_id', '=', type.request_type_id)
    .where('status', '!=', 'canceled')
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row ?? null
}

function readRequest(tx: Tx, member: Member, id: string): Promise<RequestRow> {
  return tx
    .selectFrom('requests')
    .selectAll()
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow()
}
