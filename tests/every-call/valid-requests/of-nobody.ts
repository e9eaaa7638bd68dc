import { type App, enrolTotp, enterPassword } from '../../fixtures/second-factors.ts'
import {
  enterMember,
  enterStaff,
  type Fixture,
  mailedCode,
  newPassword,
  type Person,
  type Prepare,
} from './valid-request.ts'

const enter = { portal: enterMember, desk: enterStaff }
const kindOf = { portal: 'member', desk: 'staff' } as const
const pathOf = { portal: '/members', desk: '/desk/api' }

async function askForLink(fixture: Fixture, at: App, { email }: Person): Promise<string> {
  await fixture.caller.post(`${pathOf[at]}/reset-password/request`, { email })
  return mailedCode(fixture, email)
}

const requestsAt = (at: App): Record<string, Prepare> => ({
  [`POST ${pathOf[at]}/login`]: async (fixture) => {
    const { id, email, password } = await enter[at](fixture)
    return { actorId: null, proves: { kind: kindOf[at], id }, body: { email, password } }
  },
  [`POST ${pathOf[at]}/login/second-factor`]: async (fixture) => {
    const person = await enter[at](fixture)
    const phone = await enrolTotp(fixture.caller, fixture.setup.context, person.token, at)
    const { challenge } = await enterPassword(fixture.caller, person, at)
    const proves = { kind: kindOf[at], id: person.id }
    return { actorId: null, proves, body: { challenge, recovery_code: phone.codes[0] } }
  },
  [`POST ${pathOf[at]}/reset-password/request`]: async (fixture) => {
    const { email } = await enter[at](fixture)
    return { actorId: null, body: { email } }
  },
  [`POST ${pathOf[at]}/reset-password/check-code`]: async (fixture) => {
    return { actorId: null, body: { code: await askForLink(fixture, at, await enter[at](fixture)) } }
  },
  [`POST ${pathOf[at]}/reset-password/process`]: async (fixture) => {
    const person = await enter[at](fixture)
    const code = await askForLink(fixture, at, person)
    return { actorId: null, proves: { kind: kindOf[at], id: person.id }, body: { code, ...newPassword } }
  },
})

export const requestsOfNobody: Record<string, Prepare> = { ...requestsAt('portal'), ...requestsAt('desk') }
