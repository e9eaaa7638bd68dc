import * as desk from '@atrium/contract/desk-members.ts'
import type { FastifyInstance } from 'fastify'
import { open, openTable } from '../foundation/door.ts'
import type { Ground } from '../foundation/ground.ts'
import { endAllSessionsOf, endSessionOf, listSessionsOf, sendResetLink } from '../sessions/desk-help.ts'
import { exportDeskMembers, listDeskMembers } from './desk-list.ts'
import { readDeskMember } from './desk-queries.ts'
import { eraseMember } from './erasure.ts'
import { lockMember, unlockMember } from './lock.ts'
import { packMember } from './member-archive.ts'
import { permitMember } from './permissions.ts'

export function openDeskMemberCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listMembers, (staff, input) => listDeskMembers(staff, input))
  openTable(app, ground, desk.exportMembers, async (staff, input) => {
    return { name: 'members.csv', lines: await exportDeskMembers(staff, input) }
  })

  open(app, ground, desk.readMember, async (staff, { id }) => ({ member: await readDeskMember(staff, id) }))

  open(app, ground, desk.lockMember, async (staff, { id, reason }) => {
    await lockMember(staff, id, reason)
    return { member: await readDeskMember(staff, id) }
  })
  open(app, ground, desk.unlockMember, async (staff, { id }) => {
    await unlockMember(staff, id)
    return { member: await readDeskMember(staff, id) }
  })
  open(app, ground, desk.permitMember, async (staff, { id, ...wanted }) => {
    await permitMember(staff, id, wanted)
    return { member: await readDeskMember(staff, id) }
  })

  openTable(app, ground, desk.exportMember, async (staff, { id }) => {
    const { name, content } = await packMember(staff, id)
    return { name, type: 'application/zip', lines: content }
  })
  open(app, ground, desk.eraseMember, async (staff, { id, ...why }) => {
    await eraseMember(staff, id, why)
    return { member: await readDeskMember(staff, id) }
  })
}

/** What staff do for a member who cannot sign in. */
export function openDeskHelpCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listMemberSessions, async (staff, { id }) => ({ sessions: await listSessionsOf(staff, id) }))
  open(app, ground, desk.endMemberSession, async (staff, { id, session_id }) => {
    await endSessionOf(staff, id, session_id)
    return {}
  })
  open(app, ground, desk.endMemberSessions, async (staff, { id }) => ({ ended: await endAllSessionsOf(staff, id) }))
  open(app, ground, desk.sendMemberResetLink, async (staff, { id }) => {
    await sendResetLink(staff, id)
    return {}
  })
}
