import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { type Limit, returnTry, takeTry } from '../foundation/rate-limit.ts'
import { sendMail } from '../notifications/mail.ts'
import { passwordChangedMail, resetLinkMail } from './mails.ts'
import { refuseWeakPassword, replacePassword } from './new-password.ts'
import { hashPassword } from './password.ts'
import type { Device } from './session.ts'
import { hashToken, makeToken } from './token.ts'

const quarterHour = 15 * 60
/** Enough for a mail that got lost and one asked for too early; not enough to fill somebody's mailbox. */
const requestsPerAccount: Limit = { name: 'reset-request-account', triesMax: 3, windowSeconds: quarterHour }
const requestsPerAddress: Limit = { name: 'reset-request-address', triesMax: 20, windowSeconds: quarterHour }
/** Nobody guesses 256 bits; this keeps whoever tries from keeping us busy. */
const codesPerAddress: Limit = { name: 'reset-code-address', triesMax: 30, windowSeconds: quarterHour }

/**
 * Writes down that somebody asked. Whether there is such a member is looked up by a job afterwards, so the answer, the work
 * and the time are the same for every address.
 */
export async function requestReset(system: System, email: string, device: Device): Promise<void> {
  await takeTry(system, requestsPerAddress, device.address ?? 'unknown')
  await takeTry(system, requestsPerAccount, email.toLowerCase())
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

/** Whose password the code may set; refused alike for one that is unknown, used, superseded, too old, or another workspace's. */
export async function checkCode(system: System, code: string, device: Device): Promise<string> {
  const from = device.address ?? 'unknown'
  await takeTry(system, codesPerAddress, from)
  const memberId = await reading(system, (tx) => findOpenCode(tx, system, code))
  if (!memberId) refuseCode()
  await returnTry(system, codesPerAddress, from)
  return memberId
}

function refuseCode(): never {
  refuseFields({ code: [texts.resetLinkInvalid] })
}

async function findOpenCode(tx: Tx, system: System, code: string): Promise<string | null> {
  const now = system.ground.clock.now()
  const row = await tx
    .selectFrom('password_resets as reset')
    .innerJoin('members', (join) =>
      join.onRef('members.workspace_id', '=', 'reset.workspace_id').onRef('members.member_id', '=', 'reset.member_id'),
    )
    .select('reset.member_id')
    .where('reset.workspace_id', '=', system.workspaceId)
    .where('reset.code_hash', '=', hashToken(code))
    .where('reset.used_at', 'is', null)
    .where('reset.superseded_at', 'is', null)
    .where('reset.expires_at', '>', now)
    .where('reset.created_at', '<=', now)
    .where('members.status', '=', 'active')
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** Of any number that come with the same code at the same instant one succeeds; every session of the member ends. */
export async function processReset(
  system: System,
  input: { code: string; password: string },
  device: Device,
): Promise<void> {
  await checkCode(system, input.code, device)
  await refuseWeakPassword(system, input.password)
  const hash = await hashPassword(input.password)
  await inTransaction(system, async (tx) => {
    const memberId = await useCode(tx, system, input.code)
    await replacePassword(tx, system, { memberId, hash })
    const subject = { kind: 'member', id: memberId }
    await audit(tx, system, { action: 'password.reset', subject, memberId })
    const to = await readEmail(tx, system, memberId)
    const at = system.ground.clock.now()
    await sendMail(tx, system, passwordChangedMail({ to, memberId }, { how: 'reset', device, at }))
  })
}

/** Locks the member first, as everything does that changes who may sign in, then asks again whether the code is open. */
async function useCode(tx: Tx, system: System, code: string): Promise<string> {
  const memberId = await findOpenCode(tx, system, code)
  if (!memberId) refuseCode()
  await tx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if ((await findOpenCode(tx, system, code)) === null) refuseCode()
  await tx
    .updateTable('password_resets')
    .set({ used_at: system.ground.clock.now() })
    .where('workspace_id', '=', system.workspaceId)
    .where('code_hash', '=', hashToken(code))
    .execute()
  return memberId
}

async function readEmail(tx: Tx, system: System, memberId: string): Promise<string> {
  const { email } = await tx
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return email
}
