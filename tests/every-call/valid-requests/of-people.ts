import { newId } from '../../../server/foundation/ids.ts'
import { enrolTotp } from '../../fixtures/second-factors.ts'
import { addMember, addStaff, openTestSession } from '../../fixtures/workspaces.ts'
import { type About, about, aMember } from './staff-request.ts'
import { by, enterMember, enterStaff, type Prepare } from './valid-request.ts'

const aColleague =
  (values: Parameters<typeof addStaff>[1] = {}): About =>
  async ({ setup: { system } }) => {
    const { staffId } = await addStaff(system, { role: 'support', ...values })
    await openTestSession(system, { kind: 'staff', id: staffId })
    return { id: staffId }
  }

const withFactor: About = async (fixture) => {
  const { id, token } = await enterMember(fixture)
  await enrolTotp(fixture.caller, fixture.setup.context, token)
  return { id }
}

const colleagueWithFactor: About = async (fixture) => {
  const { id, token } = await enterStaff(fixture)
  await enrolTotp(fixture.caller, fixture.setup.context, token, 'desk')
  return { id }
}

const erasable: About = async ({ setup: { system } }) => {
  const customer_number = newId()
  const { memberId } = await addMember(system, { customer_number })
  return { id: memberId, body: { customer_number } }
}

const locked: About = async (fixture) => {
  const { id } = await aMember(fixture)
  const { token } = await enterStaff(fixture)
  await fixture.caller.post(`/desk/api/members/${id}/lock`, { reason: 'Asked for it' }, token)
  return { id }
}

const newColleague = () => ({ name: 'Nora New', email: `nora-${newId().slice(-12)}@harbour.test`, role: 'support' })

const invited: About = async (fixture) => {
  const { token } = await enterStaff(fixture)
  const invitation = newColleague()
  const { body } = await fixture.caller.post('/desk/api/staff/invite', invitation, token)
  return { id: (body.staff as { _id: string })._id, body: {} }
}

const newMember = () => ({
  idempotency_key: newId(),
  ...{ first_name: 'Ines', last_name: 'Invited', email: `ines-${newId().slice(-12)}@harbour.test` },
  ...{ phone: '+356 2122 4455', country: 'MT', language: null, type: 'client' },
})

const invitedMember: About = async (fixture) => {
  const { token } = await enterStaff(fixture)
  const { body } = await fixture.caller.post('/desk/api/members/invite', newMember(), token)
  return { id: (body.member as { _id: string })._id, body: {} }
}

const renamed: About = async ({ setup: { system } }) => {
  const { memberId, email } = await addMember(system)
  return { id: memberId, body: { email } }
}

const referred: About = async ({ setup: { system } }) => {
  const { memberId: referrer } = await addMember(system, { type: 'sales_person' })
  const { memberId: id } = await addMember(system)
  return { id, body: { referrer } }
}

export const requestsOfPeople: Record<string, Prepare> = {
  'POST /desk/api/members/:id/reset-second-factor': about(withFactor),
  'POST /desk/api/staff/:id/reset-second-factor': about(colleagueWithFactor),
  'POST /desk/api/staff/invite': async (fixture) => by(await enterStaff(fixture), { body: newColleague() }),
  'POST /desk/api/staff/:id/resend-invitation': about(invited),
  'POST /desk/api/staff/:id/role': about(aColleague()),
  'POST /desk/api/staff/:id/lock': about(aColleague()),
  'POST /desk/api/staff/:id/unlock': about(aColleague({ status: 'locked' })),
  'POST /desk/api/staff/:id/end-sessions': about(aColleague()),
  'POST /desk/api/members/invite': async (fixture) => by(await enterStaff(fixture), { body: newMember() }),
  'POST /desk/api/members/:id/resend-invitation': about(invitedMember),
  'POST /desk/api/members/:id/revoke-invitation': about(invitedMember),
  'POST /desk/api/members/:id/details': about(renamed),
  'POST /desk/api/members/:id/type': about(aMember),
  'POST /desk/api/members/:id/referrer': about(referred),
  'POST /desk/api/members/:id/lock': about(aMember),
  'POST /desk/api/members/:id/unlock': about(locked),
  'POST /desk/api/members/:id/permissions': about(aMember),
  'POST /desk/api/members/:id/export': about(aMember),
  'POST /desk/api/members/:id/erase': about(erasable),
  'POST /desk/api/members/:id/sessions/end': async (fixture) => {
    const member = await enterMember(fixture)
    const request = { places: { id: member.id }, body: { session_id: member.sessionId } }
    return by(await enterStaff(fixture), request)
  },
  'POST /desk/api/members/:id/sessions/end-all': about(aMember),
  'POST /desk/api/members/:id/reset-link': about(aMember),
}
