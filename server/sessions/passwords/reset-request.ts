import { limits } from '@atrium/contract/limits.ts'
import { emailKey } from '@atrium/contract/validators/reach.ts'
import type { Actor, System } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { newId } from '../../foundation/ids.ts'
import { type Limit, networkOf, takeTries } from '../../foundation/rate-limit.ts'
import { sendMail } from '../../notifications/mail.ts'
import { readFairly } from '../fair-reads.ts'
import { isKnownDevice } from '../known-device.ts'
import { resetLinkMail } from '../notifications.ts'
import { type Kind, lockPersonByEmail, memberIdOf, ownedBy, type PersonKey } from '../person.ts'
import type { Device } from '../session.ts'
import { hashToken, makeToken } from '../token.ts'
import { closeResetLinks, type Purpose } from './new-password.ts'

const quarterHour = 15 * 60
/** Too few to flood a mailbox. A browser that has signed in to the account has a share of its own. */
const requestsPerAccount: Limit = { name: 'reset-request-account', triesMax: 6, windowSeconds: quarterHour }
/** One network's share: enough for a lost mail, and leaves requests for the owner elsewhere. */
const requestsFromOneNetwork: Limit = { name: 'reset-request-account-network', triesMax: 3, windowSeconds: quarterHour }
const requestsPerAddress: Limit = { name: 'reset-request-address', triesMax: 20, windowSeconds: quarterHour }

/**
 * Stores the request. A job looks up the person later, so answer, work and time are the same for every email.
 */
export async function requestReset(system: System, kind: Kind, email: string, device: Device): Promise<void> {
  const name = kind === 'member' ? emailKey(email) : `staff:${emailKey(email)}`
  const from = networkOf(device.address)
  const browser = await knownBrowser(system, kind, email, device)
  // As many rows for a known browser, so that it takes as long.
  await takeTries(system, [
    [requestsPerAddress, browser ?? from],
    [requestsPerAccount, `${name}${browser ? ` ${browser}` : ''}`],
    [requestsFromOneNetwork, `${name} ${browser ?? from}`],
  ])
  await inTransaction(system, async (tx) => {
    const request_id = newId()
    await tx
      .insertInto('password_reset_requests')
      .values({
        workspace_id: system.workspaceId,
        request_id,
        kind,
        sealed_email: system.context.seal.seal(email),
        address: device.address,
        created_at: system.context.clock.now(),
      })
      .execute()
    await system.context.jobs.enqueue(tx, 'sessions.issue-reset', { workspaceId: system.workspaceId, id: request_id })
  })
}

/**
 * The hash of the key of a browser that has signed in to this account, else null. Requests of others, who need no more
 * than two networks, must not keep its owner from a link.
 */
async function knownBrowser(system: System, kind: Kind, email: string, { key }: Device): Promise<string | null> {
  const isKnown = key ? await readFairly(system, (tx) => isKnownDevice(tx, system, kind, email, key)) : false
  return key && isKnown ? hashToken(key).toString('hex') : null
}

/** The job: mails a code to an active person, and nothing to others. Idempotent: it deletes the request. */
export async function issueReset(system: System, requestId: string): Promise<void> {
  await inTransaction(system, async (tx) => {
    const request = await tx
      .deleteFrom('password_reset_requests')
      .where('workspace_id', '=', system.workspaceId)
      .where('request_id', '=', requestId)
      .returning(['kind', 'sealed_email', 'address'])
      .executeTakeFirst()
    if (!request) return
    const kind = request.kind as Kind
    const person = await lockPersonByEmail(tx, system, kind, system.context.seal.open(request.sealed_email))
    if (person?.status !== 'active') return
    const code = await addResetCode(tx, system, person, 'reset')
    await audit(
      tx,
      { ...system, ...(request.address && { address: request.address }) },
      {
        action: 'password-reset.requested',
        subject: { kind, id: person.id },
        memberId: memberIdOf(person) ?? undefined,
      },
    )
    await sendMail(tx, system, resetLinkMail(person, code))
  })
}

const minutesOf = { reset: limits.resetLinkMinutes, invitation: limits.invitationDays * 24 * 60 }

/** A code by staff closes older ones, so that only the newest mail works. */
export async function makeResetCode(tx: Tx, actor: Actor, person: PersonKey, purpose: Purpose): Promise<string> {
  await closeResetLinks(tx, actor, person)
  return addResetCode(tx, actor, person, purpose)
}

/**
 * Adds a code and keeps older ones open, because anyone can request a link for any email and must not close the
 * owner's. The first one used closes the others.
 */
async function addResetCode(tx: Tx, actor: Actor, person: PersonKey, purpose: Purpose): Promise<string> {
  const code = makeToken()
  const now = actor.context.clock.now()
  await tx
    .insertInto('password_resets')
    .values({
      workspace_id: actor.workspaceId,
      reset_id: newId(),
      ...ownedBy(person),
      purpose,
      code_hash: hashToken(code),
      created_at: now,
      expires_at: new Date(now.getTime() + minutesOf[purpose] * 60_000),
    })
    .execute()
  return code
}
