import * as desk from '@atrium/contract/members/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { inTransaction } from '../foundation/database/database.ts'
import type { PersonalData } from '../foundation/erasure.ts'
import { openList } from '../http/list-route.ts'
import { open, openTable } from '../http/route.ts'
import { endAllSessionsOf, endSessionOf, listSessionsOf, sendResetLink } from '../sessions/desk-help.ts'
import { requireProof } from '../sessions/factors/proof.ts'
import { deskMembers } from './desk-list.ts'
import { readDeskMember } from './desk-queries.ts'
import { changeMemberDetails } from './details.ts'
import { inviteMember, resendInvitation, revokeInvitation } from './invitation.ts'
import { lockMember, unlockMember } from './lock.ts'
import { permitMember } from './permissions.ts'
import { eraseMember } from './personal-data/erasure.ts'
import { packMember } from './personal-data/member-archive.ts'
import { changeMemberType, changeReferrer, listSalesPeople } from './sales.ts'

export function openDeskMemberCalls(app: FastifyInstance, context: Context, data: PersonalData): void {
  openList(app, context, desk.deskMemberCalls, deskMembers)

  open(app, context, desk.readMember, async (staff, { id }) => ({ member: await readDeskMember(staff, id) }))

  open(app, context, desk.lockMember, {
    audit: ['member.locked'],
    idempotent: true,
    notifies: ['sign-in.locked'],
    example: { reason: 'Asked for it' },
    handler: async (staff, { id, reason }) => {
      await lockMember(staff, id, reason)
      return { member: await readDeskMember(staff, id) }
    },
  })
  open(app, context, desk.unlockMember, {
    audit: ['member.unlocked'],
    idempotent: true,
    notifies: ['sign-in.unlocked'],
    handler: async (staff, { id, seen }) => {
      await unlockMember(staff, id, seen)
      return { member: await readDeskMember(staff, id) }
    },
  })
  open(app, context, desk.permitMember, {
    audit: ['member.permissions-changed'],
    idempotent: true,
    example: { denied: ['support'], seen: [] },
    handler: async (staff, { id, ...wanted }) => {
      await permitMember(staff, id, wanted)
      return { member: await readDeskMember(staff, id) }
    },
  })

  openTable(app, context, desk.exportMember, {
    audit: ['member.exported'],
    repeats: 'every export has an entry of its own',
    duringErasure: 'impersonal',
    handler: async (staff, { id }) => {
      const { name, content } = await packMember(staff, id, data)
      return { name, type: 'application/zip', lines: content }
    },
  })
  open(app, context, desk.eraseMember, {
    audit: ['member.erased'],
    idempotent: true,
    example: { reason: 'Asked for it' },
    handler: async (staff, { id, ...why }) => {
      // An unattended session must not do what cannot be undone. The command line erases without a session.
      await inTransaction(staff, (tx) => requireProof(tx, staff))
      await eraseMember(staff, id, why, data)
      return { member: await readDeskMember(staff, id) }
    },
  })
}

export function openInvitationCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.inviteMember, {
    audit: ['member.invited'],
    idempotent: true,
    handler: async (staff, input) => ({
      member: await readDeskMember(staff, await inviteMember(staff, input)),
    }),
  })
  open(app, context, desk.resendMemberInvitation, {
    audit: ['member.invitation-sent'],
    repeats: 'only the newest link works',
    handler: async (staff, { id }) => {
      await resendInvitation(staff, id)
      return { member: await readDeskMember(staff, id) }
    },
  })
  open(app, context, desk.revokeMemberInvitation, {
    audit: ['member.invitation-revoked'],
    idempotent: true,
    handler: async (staff, { id }) => {
      await revokeInvitation(staff, id)
      return { member: await readDeskMember(staff, id) }
    },
  })
}

/** Calls for a member's details and referrer. */
export function openMemberDetailCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.changeMemberDetails, {
    audit: ['member.details-changed'],
    idempotent: true,
    notifies: ['details.changed'],
    example: { first_name: 'Mara', last_name: 'New', version: 1, reason: 'Asked on the phone' },
    handler: async (staff, input) => {
      await changeMemberDetails(staff, input)
      return { member: await readDeskMember(staff, input.id) }
    },
  })
  open(app, context, desk.changeMemberType, {
    audit: ['member.type-changed'],
    idempotent: true,
    example: { type: 'sales_person', reason: 'Joined the sales team' },
    handler: async (staff, { id, type, reason }) => {
      await changeMemberType(staff, id, type, reason)
      return { member: await readDeskMember(staff, id) }
    },
  })
  open(app, context, desk.changeReferrer, {
    audit: ['member.referrer-changed'],
    idempotent: true,
    example: { seen: null, reason: 'They told us' },
    handler: async (staff, { id, ...change }) => {
      await changeReferrer(staff, id, change)
      return { member: await readDeskMember(staff, id) }
    },
  })
  open(app, context, desk.listSalesPeople, async (staff, { q }) => ({ sales_people: await listSalesPeople(staff, q) }))
}

/** Calls to help a member who cannot sign in. */
export function openDeskHelpCalls(app: FastifyInstance, context: Context): void {
  open(app, context, desk.listMemberSessions, async (staff, { id }) => ({ sessions: await listSessionsOf(staff, id) }))
  open(app, context, desk.endMemberSession, {
    audit: ['session.ended'],
    idempotent: true,
    handler: async (staff, { id, session_id }) => {
      await endSessionOf(staff, id, session_id)
      return {}
    },
  })
  open(app, context, desk.endMemberSessions, {
    audit: ['sessions.ended'],
    repeats: 'it ends all of them, even if there are none',
    handler: async (staff, { id }) => ({ ended: await endAllSessionsOf(staff, id) }),
  })
  open(app, context, desk.sendMemberResetLink, {
    audit: ['password-reset.sent-by-desk'],
    repeats: 'only the newest link works, and a limit allows only a few',
    handler: async (staff, { id }) => {
      await sendResetLink(staff, id)
      return {}
    },
  })
}
