import { texts } from '@atrium/contract/texts.ts'
import type { createTicket as call, WireTicket } from '@atrium/contract/tickets/calls.ts'
import type { z } from 'zod'
import { authorize, type Member, systemActor } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { nextNumber } from '../foundation/database/counters.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { lockOwnMember } from '../foundation/database/member-lock.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { type Limit, takeTry } from '../foundation/rate-limit.ts'
import { type About, findAbout } from './about.ts'
import { type TicketRow, wireTicket } from './ticket.ts'

type Input = z.output<(typeof call)['input']>

const perMember: Limit = { name: 'tickets', triesMax: 20, windowSeconds: 3_600 }
/** Identical text about the same subject within this time is a double click or a retry. */
export const sameWithinMs = 60_000

/** Creates a member's ticket, always open and with low priority. */
export async function createTicket(member: Member, input: Input): Promise<WireTicket> {
  authorize(member, 'support')
  if (input.customer !== undefined && input.customer.toLowerCase() !== member.memberId)
    refuseFields({ customer: [texts.valueRefused] })
  await takeTry(systemActor(member.context, member.workspaceId), perMember, member.memberId)
  return inTransaction(member, async (tx) => {
    await lockOwnMember(tx, member)
    const about = await findAbout(tx, member, input.model_id)
    const earlier = await findSame(tx, member, input, about)
    return wireTicket(earlier ?? (await insertTicket(tx, member, input, about)))
  })
}

async function findSame(tx: Tx, member: Member, input: Input, about: About): Promise<TicketRow | null> {
  const since = new Date(member.context.clock.now().getTime() - sameWithinMs)
  const row = await tx
    .selectFrom('tickets')
    .selectAll()
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('created_at', '>', since)
    .where('subject', '=', input.subject)
    .where('description', '=', input.description)
    .where('account_id', 'is not distinct from', about.account_id ?? null)
    .where('transaction_id', 'is not distinct from', about.transaction_id ?? null)
    .where('download_id', 'is not distinct from', about.download_id ?? null)
    .executeTakeFirst()
  return row ?? null
}

async function insertTicket(tx: Tx, member: Member, input: Input, about: About): Promise<TicketRow> {
  const now = member.context.clock.now()
  const number = await nextNumber(tx, member, 'ticket')
  const row = await tx
    .insertInto('tickets')
    .values({
      workspace_id: member.workspaceId,
      ticket_id: newId(),
      number,
      member_id: member.memberId,
      type: input.type,
      state_since: now,
      subject: input.subject,
      description: input.description,
      ...about,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, member, {
    action: 'ticket.created',
    subject: { kind: 'ticket', id: row.ticket_id },
    after: { number, type: input.type, ...about },
  })
  return row
}
