import type { changeRequestStatus as call } from '@atrium/contract/requests/calls.ts'
import { isFinalRequest } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import type { z } from 'zod'
import { sameWithinMs } from '../forms/submission.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { refuse } from '../foundation/errors.ts'
import type { RequestRow } from './event.ts'
import { lockRequest, moveRequest, refuseMove, stateOf } from './request.ts'

type Input = z.output<(typeof call)['input']>

/** Cancels an own undecided request, with a comment. */
export async function changeOwnRequest(member: Member, { _id, new_status, comment }: Input): Promise<RequestRow> {
  authorize(member, 'requests')
  return inTransaction(member, async (tx) => {
    const row = await lockRequest(tx, member, _id)
    if (new_status !== 'canceled')
      refuse('illegal_move', requestTexts.notYours, { errors: { new_status: [requestTexts.notYours] } })
    if (isSentAgain(member, row, comment)) return row
    if (isFinalRequest(stateOf(row))) refuseMove(member, stateOf(row))
    return moveRequest(tx, member, row, { to: 'canceled', comment })
  })
}

/** The same comment within a short time is a double click. */
function isSentAgain({ context }: Member, row: RequestRow, comment: string | undefined): boolean {
  const isRecent = row.status_since.getTime() > context.clock.now().getTime() - sameWithinMs
  return row.status === 'canceled' && isRecent && row.comment === comment
}
