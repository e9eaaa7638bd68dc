import { type Door, enrolTotp, enterPassword } from '../../fixtures/second-factors.ts'
import {
  enterMember,
  enterStaff,
  mailedCode,
  newPassword,
  type Person,
  type Prepare,
  type Stage,
} from './valid-request.ts'

const enter = { portal: enterMember, desk: enterStaff }
const pathOf = { portal: '/members', desk: '/desk/api' }

async function askForLink(stage: Stage, at: Door, { email }: Person): Promise<string> {
  await stage.caller.post(`${pathOf[at]}/reset-password/request`, { email })
  return mailedCode(stage, email)
}

const doorRequests = (at: Door): Record<string, Prepare> => ({
  [`POST ${pathOf[at]}/login`]: async (stage) => {
    const { email, password } = await enter[at](stage)
    return { actorId: null, body: { email, password } }
  },
  [`POST ${pathOf[at]}/login/second-factor`]: async (stage) => {
    const person = await enter[at](stage)
    const phone = await enrolTotp(stage.caller, stage.floor.ground, person.token, at)
    const { challenge } = await enterPassword(stage.caller, person, at)
    return { actorId: null, body: { challenge, recovery_code: phone.codes[0] } }
  },
  [`POST ${pathOf[at]}/reset-password/request`]: async (stage) => {
    const { email } = await enter[at](stage)
    return { actorId: null, body: { email } }
  },
  [`POST ${pathOf[at]}/reset-password/check-code`]: async (stage) => {
    return { actorId: null, body: { code: await askForLink(stage, at, await enter[at](stage)) } }
  },
  [`POST ${pathOf[at]}/reset-password/process`]: async (stage) => {
    const code = await askForLink(stage, at, await enter[at](stage))
    return { actorId: null, body: { code, ...newPassword } }
  },
})

export const requestsOfNobody: Record<string, Prepare> = { ...doorRequests('portal'), ...doorRequests('desk') }
