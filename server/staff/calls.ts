import * as contract from '@atrium/contract/desk-staff.ts'
import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { profileTexts } from '@atrium/contract/profile-texts.ts'
import { sessionTexts } from '@atrium/contract/session-texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open } from '../http/route.ts'
import { deviceOf, setDeviceCookie } from '../sessions/calls.ts'
import { endOtherSessions, endOwnSession, listSessions } from '../sessions/own-sessions.ts'
import { changePassword } from '../sessions/password-change.ts'
import { checkCode, processReset } from '../sessions/password-reset.ts'
import { requestReset } from '../sessions/reset-request.ts'
import { inviteStaff, resendInvitation } from './invitation.ts'
import { wearOwnPicture } from './picture.ts'
import { listStaff } from './queries.ts'
import { changeOwnName, changeStaffRole, endSessionsOfStaff, lockStaff, unlockStaff } from './staff.ts'

export function openStaffCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, contract.listStaff, async (staff) => ({ staff: await listStaff(staff) }))
  open(app, ground, contract.inviteStaff, async (staff, input) => ({ staff: await inviteStaff(staff, input) }))
  open(app, ground, contract.resendInvitation, async (staff, { id }) => ({ staff: await resendInvitation(staff, id) }))
  open(app, ground, contract.changeStaffRole, async (staff, { id, role }) => {
    return { staff: await changeStaffRole(staff, id, role) }
  })
  open(app, ground, contract.lockStaff, async (staff, { id }) => ({ staff: await lockStaff(staff, id) }))
  open(app, ground, contract.unlockStaff, async (staff, { id }) => ({ staff: await unlockStaff(staff, id) }))
  open(app, ground, contract.endStaffSessions, async (staff, { id }) => ({
    staff: await endSessionsOfStaff(staff, id),
  }))
}

/** What each of the staff keeps of their own. */
export function openStaffAccountCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, contract.changeOwnName, async (staff, { name }) => {
    await changeOwnName(staff, name)
    return { msg: [deskTexts.nameSaved] }
  })
  open(app, ground, contract.wearOwnPicture, async (staff, { picture }) => {
    await wearOwnPicture(staff, picture)
    return { msg: [picture === null ? profileTexts.pictureRemoved : profileTexts.pictureSaved] }
  })
  open(app, ground, contract.changeStaffPassword, async (staff, input, { request }) => {
    await changePassword(staff, input, deviceOf(request))
    return { msg: [sessionTexts.passwordChanged] }
  })
  open(app, ground, contract.listStaffSessions, async (staff) => ({ sessions: await listSessions(staff) }))
  open(app, ground, contract.endStaffSession, async (staff, { _id }) => {
    await endOwnSession(staff, _id)
    return { msg: [sessionTexts.sessionEnded] }
  })
  open(app, ground, contract.endOtherStaffSessions, async (staff) => {
    return { ended: await endOtherSessions(staff), msg: [sessionTexts.otherSessionsEnded] }
  })
}

export function openStaffPasswordCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, contract.requestStaffReset, async (system, { email }, { request }) => {
    await requestReset(system, 'staff', email, deviceOf(request))
    return { msg: [sessionTexts.resetRequested] }
  })
  open(app, ground, contract.checkStaffCode, async (system, { code }, { request }) => {
    const { purpose } = await checkCode(system, 'staff', code, deviceOf(request))
    return { purpose }
  })
  open(app, ground, contract.processStaffReset, async (system, input, { request, reply }) => {
    const { deviceKey } = await processReset(system, 'staff', input, deviceOf(request))
    setDeviceCookie(reply, request, '/desk/api', deviceKey)
    return { msg: [deskTexts.staffPasswordSet] }
  })
}
