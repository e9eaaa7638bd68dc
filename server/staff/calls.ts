import type { Call } from '@atrium/contract/call.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import * as contract from '@atrium/contract/staff/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { deviceOf, setDeviceCookie } from '../sessions/calls.ts'
import { endOtherSessions, endOwnSession, listSessions } from '../sessions/own-sessions.ts'
import { changePassword } from '../sessions/passwords/password-change.ts'
import { checkCode, processReset } from '../sessions/passwords/password-reset.ts'
import { requestReset } from '../sessions/passwords/reset-request.ts'
import { inviteStaff, resendInvitation } from './invitation.ts'
import { listViewCalls, readListView, saveListView } from './list-views.ts'
import { setOwnPicture } from './picture.ts'
import { listStaff } from './queries.ts'
import { changeOwnName, changeStaffRole, endSessionsOfStaff, lockStaff, unlockStaff } from './staff.ts'

export function openStaffCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.listStaff, async (staff) => ({ staff: await listStaff(staff) }))
  open(app, context, contract.inviteStaff, {
    audit: ['staff.invited'],
    idempotent: true,
    handler: async (staff, input) => ({ staff: await inviteStaff(staff, input) }),
  })
  open(app, context, contract.resendInvitation, {
    audit: ['staff.invitation-sent'],
    repeats: 'only the newest link works',
    handler: async (staff, { id }) => ({ staff: await resendInvitation(staff, id) }),
  })
  open(app, context, contract.changeStaffRole, {
    audit: ['staff.role-changed'],
    idempotent: true,
    example: { role: 'viewer' },
    handler: async (staff, { id, role, seen }) => ({ staff: await changeStaffRole(staff, id, role, seen) }),
  })
  open(app, context, contract.lockStaff, {
    audit: ['staff.locked'],
    idempotent: true,
    handler: async (staff, { id }) => ({ staff: await lockStaff(staff, id) }),
  })
  open(app, context, contract.unlockStaff, {
    audit: ['staff.unlocked'],
    idempotent: true,
    handler: async (staff, { id }) => ({ staff: await unlockStaff(staff, id) }),
  })
  open(app, context, contract.endStaffSessions, {
    audit: ['staff.sessions-ended'],
    repeats: 'it ends all of them, even if there are none',
    handler: async (staff, { id }) => ({
      staff: await endSessionsOfStaff(staff, id),
    }),
  })
}

/** Calls for a desk user's own settings. `calls` are those of the whole server, complete once it has started. */
export function openStaffAccountCalls(app: FastifyInstance, context: Context, calls: readonly Call[]): void {
  const views = listViewCalls(calls)
  open(app, context, contract.changeOwnName, {
    audit: ['staff.renamed'],
    idempotent: true,
    example: { name: 'Sela Renamed' },
    handler: async (staff, { name }) => {
      await changeOwnName(staff, name)
      return { msg: [deskTexts.nameSaved] }
    },
  })
  open(app, context, contract.setOwnPicture, {
    audit: ['staff.picture-changed'],
    idempotent: true,
    handler: async (staff, { picture }) => {
      await setOwnPicture(staff, picture)
      return { msg: [picture === null ? profileTexts.pictureRemoved : profileTexts.pictureSaved] }
    },
  })
  open(app, context, contract.changeStaffPassword, {
    audit: ['password.changed'],
    idempotent: true,
    handler: async (staff, input, { request }) => {
      await changePassword(staff, input, deviceOf(request))
      return { msg: [sessionTexts.passwordChanged] }
    },
  })
  open(app, context, views.read, (staff, { list }) => readListView(staff, list))
  open(app, context, views.save, {
    unaudited: 'how a person views a list is private',
    touches: ['staff_list_views'],
    idempotent: true,
    example: { list: 'openings', saved: [{ name: 'Mine', search: { kind: 'live' } }], hidden: [] },
    handler: saveListView,
  })
  open(app, context, contract.listStaffSessions, async (staff) => ({ sessions: await listSessions(staff) }))
  open(app, context, contract.endStaffSession, {
    audit: ['session.ended'],
    idempotent: true,
    handler: async (staff, { _id }) => {
      await endOwnSession(staff, _id)
      return { msg: [sessionTexts.sessionEnded] }
    },
  })
  open(app, context, contract.endOtherStaffSessions, {
    audit: ['sessions.ended'],
    repeats: 'it ends all others, even if there are none',
    handler: async (staff) => {
      return { ended: await endOtherSessions(staff), msg: [sessionTexts.otherSessionsEnded] }
    },
  })
}

export function openStaffPasswordCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.requestStaffReset, {
    unaudited: 'the address may belong to nobody; the job that finds its owner records it',
    touches: ['password_reset_requests'],
    repeats: 'an email may be lost, and a limit allows only a few links',
    handler: async (system, { email }, { request }) => {
      await requestReset(system, 'staff', email, deviceOf(request))
      return { msg: [sessionTexts.resetRequested] }
    },
  })
  open(app, context, contract.checkStaffCode, {
    unaudited: 'it only checks the code',
    touches: [],
    idempotent: true,
    handler: async (system, { code }, { request }) => {
      const { purpose } = await checkCode(system, 'staff', code, deviceOf(request))
      return { purpose }
    },
  })
  open(app, context, contract.processStaffReset, {
    audit: ['password.reset'],
    idempotent: true,
    handler: async (system, input, { request, reply }) => {
      const { deviceKey } = await processReset(system, 'staff', input, deviceOf(request))
      setDeviceCookie(reply, request, '/desk/api', deviceKey)
      return { msg: [deskTexts.staffPasswordSet] }
    },
  })
}
