import { texts } from '@atrium/contract/texts.ts'
import { type Expression, sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database.ts'
import { refuse } from '../foundation/errors.ts'
import { guess } from '../foundation/rate-limit.ts'
import { sendMail } from '../notifications/mail.ts'
import { isKnownDevice, rememberDevice } from './known-device.ts'
import { newDeviceMail } from './mails.ts'
import { refuseOverlongPassword } from './new-password.ts'
import { isPasswordOf } from './password.ts'
import type { Kind } from './person.ts'
import { type Device, keptUserAgent, openSession, type Tokens } from './session.ts'
import { signInLimits } from './sign-in-limits.ts'

type Credentials = { email: string; password: string }
type Person = { id: string; name: string; email: string; type: string }
export type SignedIn = Tokens & { person: Person; deviceKey: string }

/**
 * Signs a member or a desk user in. A wrong email and a wrong password are the same to the caller: same words, same work.
 * The try is counted before the password is looked at, and given back when it was right.
 */
export async function signIn(system: System, kind: Kind, credentials: Credentials, device: Device): Promise<SignedIn> {
  await refuseOverlongPassword(system, credentials.password)
  const found = await findPerson(system, kind, credentials.email, device)
  const limits = signInLimits(`${kind}:${credentials.email.toLowerCase()}`, device, found?.isKnownDevice ?? false)
  const isRight = await guess(system, limits, () => isPasswordOf(found?.passwordHash ?? null, credentials.password))
  if (!found || !isRight) refuse('sign_in_failed', texts.loginWrong)
  return inTransaction(system, async (tx) => {
    // A password changed since it was looked at, in this very moment, is the wrong one.
    if (!(await isStillSo(tx, system, kind, found))) refuse('sign_in_failed', texts.loginWrong)
    const isNewDevice = kind === 'member' && !(await knowsDevice(tx, system, found.person.id, device))
    const tokens = await openSession(tx, system, { kind, id: found.person.id }, device)
    const deviceKey = await rememberDevice(tx, system, { kind, id: found.person.id }, device)
    await audit(tx, system, {
      action: 'session.opened',
      subject: { kind, id: found.person.id },
      memberId: kind === 'member' ? found.person.id : undefined,
    })
    const recipient = { kind, id: found.person.id, email: found.person.email }
    if (isNewDevice) await sendMail(tx, system, newDeviceMail(recipient, device, system.ground.clock.now()))
    return { ...tokens, person: found.person, deviceKey }
  })
}

/** Locks the person's row until the session stands: whoever changes the password waits, and then ends this session too. */
async function isStillSo(tx: Tx, system: System, kind: Kind, { person, passwordHash }: Found): Promise<boolean> {
  const row = await (kind === 'member'
    ? tx
        .selectFrom('members')
        .select(['password_hash', 'status'])
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', person.id)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : tx
        .selectFrom('staff_users')
        .select(['password_hash', 'status'])
        .where('workspace_id', '=', system.workspaceId)
        .where('staff_id', '=', person.id)
        .forNoKeyUpdate()
        .executeTakeFirst())
  return row?.password_hash === passwordHash && row.status === 'active'
}

/** Browsers update themselves every few weeks: version numbers make no new device, or people stop reading these mails. */
async function knowsDevice(tx: Tx, system: System, memberId: string, device: Device): Promise<boolean> {
  const plainAgent = (agent: Expression<string | null>) =>
    sql<string>`regexp_replace(coalesce(${agent}, ''), '[0-9.]+', '', 'g')`
  const found = await tx
    .selectFrom('sessions')
    .select('session_id')
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', '=', memberId)
    .where(sql<boolean>`address is not distinct from ${device.address}::inet`)
    .where((is) => is(plainAgent(is.ref('user_agent')), '=', plainAgent(is.val(keptUserAgent(device)))))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

type Found = { person: Person; passwordHash: string; isKnownDevice: boolean }

function findPerson(system: System, kind: Kind, email: string, device: Device): Promise<Found | null> {
  return reading(system, async (tx) => {
    const row = await findActive(tx, system, kind, email)
    if (!row) return null
    const { password_hash: passwordHash, ...person } = row
    return { person, passwordHash, isKnownDevice: await isKnownDevice(tx, system, { kind, id: person.id }, device) }
  })
}

function findActive(tx: Tx, system: System, kind: Kind, email: string) {
  return kind === 'member'
    ? tx
        .selectFrom('members')
        .select(['member_id as id', 'type', 'email', 'password_hash'])
        .select(sql<string>`first_name || ' ' || last_name`.as('name'))
        .where('workspace_id', '=', system.workspaceId)
        .where(sql`lower(email)`, '=', email.toLowerCase())
        .where('status', '=', 'active')
        .executeTakeFirst()
    : tx
        .selectFrom('staff_users')
        .select(['staff_id as id', 'role as type', 'email', 'password_hash', 'name'])
        .where('workspace_id', '=', system.workspaceId)
        .where(sql`lower(email)`, '=', email.toLowerCase())
        .where('status', '=', 'active')
        .executeTakeFirst()
}
