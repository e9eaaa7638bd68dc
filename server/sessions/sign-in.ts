import { texts } from '@atrium/contract/texts.ts'
import { sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading } from '../foundation/database.ts'
import { refuse } from '../foundation/errors.ts'
import { type Limit, returnTry, takeTry } from '../foundation/rate-limit.ts'
import { isPasswordOf } from './password.ts'
import { type Device, openSession, type Tokens } from './session.ts'

type Kind = 'member' | 'staff'
type Credentials = { email: string; password: string }
type Person = { id: string; name: string; email: string; type: string }
export type SignedIn = Tokens & { person: Person }

/** Guesses at one account, wherever they come from. No longer window: somebody else's guesses must not lock the owner out. */
const perAccount: Limit = { name: 'sign-in-account', triesMax: 10, windowSeconds: 15 * 60 }
/** One password tried over many accounts from one address. */
const perAddress: Limit = { name: 'sign-in-address', triesMax: 30, windowSeconds: 15 * 60 }

/**
 * Signs a member or a desk user in. A wrong email and a wrong password are the same to the caller: same words, same work.
 * The try is counted before the password is looked at, and given back when it was right.
 */
export async function signIn(system: System, kind: Kind, credentials: Credentials, device: Device): Promise<SignedIn> {
  const account = `${kind}:${credentials.email.toLowerCase()}`
  const limited: [Limit, string][] = [
    [perAddress, device.address ?? 'unknown'],
    [perAccount, account],
  ]
  for (const [limit, subject] of limited) await takeTry(system, limit, subject)
  const found = await findPerson(system, kind, credentials.email)
  const right = await isPasswordOf(found?.passwordHash ?? null, credentials.password)
  if (!found || !right) refuse('sign_in_failed', texts.loginWrong)
  for (const [limit, subject] of limited) await returnTry(system, limit, subject)
  return inTransaction(system, async (tx) => {
    const tokens = await openSession(tx, system, { kind, id: found.person.id }, device)
    await audit(tx, system, {
      action: 'session.opened',
      subject: { kind, id: found.person.id },
      memberId: kind === 'member' ? found.person.id : undefined,
    })
    return { ...tokens, person: found.person }
  })
}

type Found = { person: Person; passwordHash: string }

async function findPerson(system: System, kind: Kind, email: string): Promise<Found | null> {
  const row = await reading(system, (tx) =>
    kind === 'member'
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
          .executeTakeFirst(),
  )
  if (!row) return null
  const { password_hash: passwordHash, ...person } = row
  return { person, passwordHash }
}
