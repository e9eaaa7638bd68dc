import { limits } from '@atrium/contract/limits.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, type Tx } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { type Limit, networkOf, takeTries } from '../foundation/rate-limit.ts'
import { sendMail } from '../notifications/mail.ts'
import { resetLinkMail } from './mails.ts'
import type { Device } from './session.ts'
import { hashToken, makeToken } from './token.ts'

const quarterHour = 15 * 60
/** Enough for a mail that got lost and one asked for too early; not enough to fill somebody's mailbox. */
const requestsPerAccount: Limit = { name: 'reset-request-account', triesMax: 3, windowSeconds: quarterHour }
const requestsPerAddress: Limit = { name: 'reset-request-address', triesMax: 20, windowSeconds: quarterHour }

/**
 * Writes down that somebody asked. Whether there is such a member is looked up by a job afterwards, so the answer, the work
 * and the time are the same for every address.
 */
export async function requestReset(system: System, email: string, device: Device): Promise<void> {
  await takeTries(system, [
    [requestsPerAddress, networkOf(device.address)],
    [requestsPerAccount, email.toLowerCase()],
  ])
  await inTransaction(system, async (tx) => {
    const request_id = newId()
    await tx
      .insertInto('password_reset_requests')
      .values({
        workspace_id: system.workspaceId,
        request_id,
        sealed_email: system.ground.seal.seal(email),
        address: device.address,
        created_at: system.ground.clock.now(),
      })
      .execute()
    await system.ground.jobs.enqueue(tx, 'sessions.issue-reset', { workspaceId: system.workspaceId, id: request_id })
  })
}

/** The job: a code for an active member, in a mail; nothing at all for anybody else. Done twice it finds no request. */
export async function issueReset(system: System, requestId: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const request = await tx
      .deleteFrom('password_reset_requests')
      .where('workspace_id', '=', system.workspaceId)
      .where('request_id', '=', requestId)
      .returning(['sealed_email', 'address'])
      .executeTakeFirst()
    if (!request) return
    const member = await lockActiveMember(tx, system, system.ground.seal.open(request.sealed_email))
    if (!member) return
    const code = await replaceCode(tx, system, member.member_id)
    await audit(
      tx,
      { ...system, ...(request.address && { address: request.address }) },
      {
        action: 'password-reset.requested',
        subject: { kind: 'member', id: member.member_id },
        memberId: member.member_id,
      },
    )
    await sendMail(tx, system, resetLinkMail({ to: member.email, memberId: member.member_id }, code))
  })
}

function lockActiveMember(tx: Tx, system: System, email: string) {
  return tx
    .selectFrom('members')
    .select(['member_id', 'email'])
    .where('workspace_id', '=', system.workspaceId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The newer code is the only one that works: a mail that somebody else can read later opens nothing. */
async function replaceCode(tx: Tx, system: System, memberId: string): Promise<string> {
  const code = makeToken()
  const now = system.ground.clock.now()
  await tx
    .updateTable('password_resets')
    .set({ superseded_at: now })
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .where('superseded_at', 'is', null)
    .execute()
  await tx
    .insertInto('password_resets')
    .values({
      workspace_id: system.workspaceId,
      reset_id: newId(),
      member_id: memberId,
      code_hash: hashToken(code),
      created_at: now,
      expires_at: new Date(now.getTime() + limits.resetLinkMinutes * 60_000),
    })
    .execute()
  return code
}
