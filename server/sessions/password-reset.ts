import { texts } from '@atrium/contract/texts.ts'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { guess, type Limit, networkOf } from '../foundation/rate-limit.ts'
import { sendMail } from '../notifications/mail.ts'
import { rememberDevice } from './known-device.ts'
import { passwordChangedMail } from './mails.ts'
import { refuseWeakPassword, replacePassword } from './new-password.ts'
import { hashPassword } from './password.ts'
import type { Device } from './session.ts'
import { hashToken } from './token.ts'

/** Nobody guesses 256 bits; this keeps whoever tries from keeping us busy. */
const codesPerAddress: Limit = { name: 'reset-code-address', triesMax: 30, windowSeconds: 15 * 60 }

/** Whose password the code may set; refused alike for one that is unknown, used, superseded, too old, or another workspace's. */
export async function checkCode(system: System, code: string, device: Device): Promise<string> {
  let memberId: string | null = null
  await guess(system, [[codesPerAddress, networkOf(device.address)]], async () => {
    memberId = await reading(system, (tx) => findOpenCode(tx, system, code))
    return memberId !== null
  })
  return memberId ?? refuseCode()
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

/**
 * Of any number that come with the same code at the same instant one succeeds; every session of the member ends. Answers
 * the key of the browser, a known one from now on: whoever reads the member's mail is let in though others guess.
 */
export async function processReset(
  system: System,
  input: { code: string; password: string },
  device: Device,
): Promise<string> {
  await checkCode(system, input.code, device)
  await refuseWeakPassword(system, input.password)
  const hash = await hashPassword(input.password)
  return inTransaction(system, async (tx) => {
    const memberId = await useCode(tx, system, input.code)
    await replacePassword(tx, system, { memberId, hash })
    const subject = { kind: 'member', id: memberId }
    await audit(tx, system, { action: 'password.reset', subject, memberId })
    const to = await readEmail(tx, system, memberId)
    const at = system.ground.clock.now()
    await sendMail(tx, system, passwordChangedMail({ to, memberId }, { how: 'reset', device, at }))
    return rememberDevice(tx, system, { kind: 'member', id: memberId }, device)
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
