import * as contract from '@atrium/contract/sessions/calls.ts'
import {
  deskActivity,
  deskSignIn,
  deskSignInWithFactor,
  deskSignOut,
  readDeskUser,
} from '@atrium/contract/sessions/desk-calls.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownPictureUrl } from '../files/staff-pictures.ts'
import type { Member, Staff } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { reading } from '../foundation/database/database.ts'
import { clientAddress } from '../http/client-address.ts'
import { type Exchange, open } from '../http/route.ts'
import type { SignedIn } from './admission.ts'
import { clearFileCookies, deviceCookieName, fileCookies, isOverTls, setFileCookies } from './cookies.ts'
import { signInWithFactor } from './factors/second-step.ts'
import { deviceKnownForMs } from './known-device.ts'
import { endOtherSessions, endOwnSession, listSessions } from './own-sessions.ts'
import { changePassword } from './passwords/password-change.ts'
import { checkCode, processReset } from './passwords/password-reset.ts'
import { requestReset } from './passwords/reset-request.ts'
import type { Kind } from './person.ts'
import { type Device, endSession, isOwnFileToken, recordActivity } from './session.ts'
import { signIn } from './sign-in.ts'
import type { Challenged } from './sign-in-challenge.ts'
import { makeUniqueToken } from './unique-token.ts'

export function openSessionCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.signIn, {
    audit: ['session.opened'],
    repeats: 'each sign-in is a session of its own',
    notifies: ['device.appeared'],
    handler: async (system, input, { request, reply }) => {
      const outcome = await signIn(system, 'member', input, deviceOf(request))
      return 'challenge' in outcome ? askedOf(outcome) : welcome(outcome, 'member', { request, reply })
    },
  })

  open(app, context, contract.signInWithFactor, {
    audit: ['recovery-code.used', 'session.opened'],
    idempotent: true,
    notifies: ['device.appeared', 'recovery-code.used'],
    handler: async (system, input, { request, reply }) => {
      const signedIn = await signInWithFactor(system, 'member', input, deviceOf(request))
      return welcome(signedIn, 'member', { request, reply })
    },
  })

  open(app, context, contract.signOut, {
    scopes: ['all'],
    beforeTerms: true,
    whileEnrolling: true,
    audit: ['session.ended'],
    idempotent: true,
    duringErasure: 'impersonal',
    example: {},
    handler: async (member, _input, { request, reply }) => {
      await signOut(member, { request, reply })
      return {}
    },
  })

  open(app, context, contract.readPermissions, {
    scopes: ['all'],
    beforeTerms: true,
    handler: async (member) => {
      return { permissions: [...member.permissions], code: 200 }
    },
  })

  open(app, context, contract.getUniqueToken, {
    scopes: ['all'],
    unaudited: 'the action that uses the token has its own entry',
    touches: ['nonces'],
    repeats: 'each form has a token of its own',
    duringErasure: 'impersonal',
    example: { token_key: 'transaction_deposit' },
    handler: async (member, input) => {
      return { token: await makeUniqueToken(member, input.token_key) }
    },
  })

  open(app, context, contract.reportActivity, {
    scopes: ['all'],
    beforeTerms: true,
    unaudited: 'a heartbeat, once a minute',
    touches: ['sessions'],
    idempotent: true,
    duringErasure: 'impersonal',
    early: true,
    handler: async (member) => {
      await recordActivity(member)
      return {}
    },
  })
}

export function openPasswordCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.requestPasswordReset, {
    unaudited: 'the address may belong to nobody; the job that finds its owner records it',
    touches: ['password_reset_requests'],
    repeats: 'an email may be lost, and a limit allows only a few links',
    handler: async (system, { email }, { request }) => {
      await requestReset(system, 'member', email, deviceOf(request))
      return { msg: [sessionTexts.resetRequested] }
    },
  })

  open(app, context, contract.checkResetCode, {
    unaudited: 'it only checks the code',
    touches: [],
    idempotent: true,
    handler: async (system, { code }, { request }) => {
      const { id, purpose } = await checkCode(system, 'member', code, deviceOf(request))
      return { user: { _id: id }, purpose }
    },
  })

  open(app, context, contract.processPasswordReset, {
    audit: ['password.reset'],
    idempotent: true,
    notifies: ['password.changed'],
    handler: async (system, input, { request, reply }) => {
      const { deviceKey, purpose } = await processReset(system, 'member', input, deviceOf(request))
      setDeviceCookie(reply, request, '/members', deviceKey)
      return { msg: [purpose === 'invitation' ? sessionTexts.passwordSet : sessionTexts.passwordReset] }
    },
  })

  for (const call of [contract.changePassword, contract.changeUserPassword]) {
    open(app, context, call, {
      scopes: ['profile'],
      audit: ['password.changed'],
      repeats: 'it sets the same password again and notifies its owner',
      notifies: ['password.changed'],
      notifiesAgain: true,
      handler: async (member, input, { request }) => {
        await changePassword(member, input, deviceOf(request))
        return { msg: [sessionTexts.passwordChanged] }
      },
    })
  }
}

export function openOwnSessionCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.listOwnSessions, {
    scopes: ['profile'],
    handler: async (member) => ({ sessions: await listSessions(member) }),
  })

  open(app, context, contract.endOwnSession, {
    scopes: ['profile'],
    audit: ['session.ended'],
    idempotent: true,
    handler: async (member, { _id }) => {
      await endOwnSession(member, _id)
      return { msg: [sessionTexts.sessionEnded] }
    },
  })

  open(app, context, contract.endOtherSessions, {
    scopes: ['profile'],
    audit: ['sessions.ended'],
    repeats: 'it ends all others, even if there are none',
    handler: async (member) => {
      return { ended: await endOtherSessions(member), msg: [sessionTexts.otherSessionsEnded] }
    },
  })
}

export function openDeskSessionCalls(app: FastifyInstance, context: Context): void {
  open(app, context, deskSignIn, {
    audit: ['session.opened'],
    repeats: 'each sign-in is a session of its own',
    handler: async (system, input, { request, reply }) => {
      const outcome = await signIn(system, 'staff', input, deviceOf(request))
      return 'challenge' in outcome ? askedOf(outcome) : welcome(outcome, 'staff', { request, reply })
    },
  })

  open(app, context, deskSignInWithFactor, {
    audit: ['recovery-code.used', 'session.opened'],
    idempotent: true,
    handler: async (system, input, { request, reply }) => {
      const signedIn = await signInWithFactor(system, 'staff', input, deviceOf(request))
      return welcome(signedIn, 'staff', { request, reply })
    },
  })

  open(app, context, deskSignOut, {
    whileEnrolling: true,
    audit: ['session.ended'],
    idempotent: true,
    example: {},
    handler: async (staff, _input, { request, reply }) => {
      await signOut(staff, { request, reply })
      return {}
    },
  })

  open(app, context, deskActivity, {
    unaudited: 'a heartbeat, once a minute',
    touches: ['sessions'],
    idempotent: true,
    early: true,
    handler: async (staff) => {
      await recordActivity(staff)
      return {}
    },
  })

  open(app, context, readDeskUser, async (staff) => {
    return reading(staff, async (tx) => {
      const own = tx
        .selectFrom('staff_users')
        .select(['name', 'email', 'role'])
        .where('workspace_id', '=', staff.workspaceId)
        .where('staff_id', '=', staff.staffId)
        .executeTakeFirstOrThrow()
      const [row, picture] = await Promise.all([own, ownPictureUrl(tx, staff)])
      return { user: { _id: staff.staffId, name: row.name, email: row.email, type: row.role, picture } }
    })
  })
}

function welcome(signedIn: SignedIn, kind: Kind, { request, reply }: Exchange) {
  const { person, token, mustEnrol } = signedIn
  setFileCookies(reply, request, { cookie: fileCookies[kind], personId: person.id, fileToken: signedIn.fileToken })
  setDeviceCookie(reply, request, kind === 'member' ? '/members' : '/desk/api', signedIn.deviceKey)
  const user = { _id: person.id, name: person.name, email: person.email, type: person.type }
  return { status: 'ok' as const, token, user, ...(mustEnrol && { must_enrol: true as const }) }
}

/**
 * Ends the session, then drops its file cookies, so that a failed call changes nothing. The cookies of somebody who signed in
 * later in another tab stay.
 */
async function signOut(actor: Member | Staff, { request, reply }: Exchange): Promise<void> {
  const clear = await clearFileCookies(reply, request, {
    cookie: fileCookies[actor.kind],
    personId: actor.kind === 'member' ? actor.memberId : actor.staffId,
    isOwn: (token) => isOwnFileToken(actor, token),
  })
  await endSession(actor)
  clear()
}

/** No token and no cookie before the second factor. */
function askedOf({ challenge, expiresAt, methods, passkey }: Challenged) {
  const second_factor = { challenge, expires_at: expiresAt.getTime(), methods, passkey }
  return { status: 'second_factor_required' as const, second_factor }
}

export function deviceOf(request: FastifyRequest): Device {
  const key = request.cookies[deviceCookieName(request)]
  const isKey = key !== undefined && /^[\w-]{43}$/.test(key)
  return { address: clientAddress(request), userAgent: request.headers['user-agent'] ?? null, key: isKey ? key : null }
}

/** Recognises a browser seen before. It does not identify a person and authorizes no call. */
export function setDeviceCookie(reply: FastifyReply, request: FastifyRequest, path: string, key: string): void {
  const secure = isOverTls(request)
  reply.setCookie(deviceCookieName(request), key, {
    path,
    httpOnly: true,
    sameSite: 'strict',
    secure,
    maxAge: deviceKnownForMs / 1000,
  })
}
