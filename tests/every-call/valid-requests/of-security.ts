import { codeAt } from '../../../server/sessions/totp-code.ts'
import { makeAuthenticator } from '../../fixtures/authenticator.ts'
import { type Door, enrolPasskey, enrolTotp, securityPath } from '../../fixtures/second-factors.ts'
import { enterMember, enterStaff, type GoodRequest, type Person, type Prepare, type Stage } from './valid-request.ts'

/** Of the calls about one's own second factors, which members and staff have alike. */
const enter = { portal: enterMember, desk: enterStaff }
const originOf = ({ floor }: Stage): string => `http://localhost:${floor.ground.config.port}`

type OfPerson = (stage: Stage, person: Person, at: Door) => Promise<object>

async function passkeyOf(stage: Stage, { token }: Person, at: Door): Promise<string> {
  await enrolPasskey(stage.caller, { token, origin: originOf(stage), at })
  const { body } = await stage.caller.get(securityPath(at), token)
  const { passkeys } = body.security as { passkeys: { _id: string }[] }
  return String(passkeys[0]?._id)
}

const bodies: Record<string, OfPerson> = {
  '/prove/start': async (stage, person, at) => {
    await passkeyOf(stage, person, at)
    return {}
  },
  '/prove': async (_stage, { password }) => ({ password }),
  '/totp/start': async () => ({}),
  '/totp/confirm': async (stage, { token }, at) => {
    const { body } = await stage.caller.post(securityPath(at, '/totp/start'), {}, token)
    return { code: codeAt(String(body.secret), stage.floor.ground.clock.now()) }
  },
  '/totp/remove': async (stage, { token }, at) => {
    await enrolTotp(stage.caller, stage.floor.ground, token, at)
    return {}
  },
  '/passkeys/start': async () => ({}),
  '/passkeys/add': async (stage, { token }, at) => {
    const { body } = await stage.caller.post(securityPath(at, '/passkeys/start'), {}, token)
    return { name: 'Laptop', passkey: makeAuthenticator(originOf(stage)).register(body.passkey) }
  },
  '/passkeys/rename': async (stage, person, at) => ({ _id: await passkeyOf(stage, person, at), name: 'Work' }),
  '/passkeys/remove': async (stage, person, at) => ({ _id: await passkeyOf(stage, person, at) }),
  '/recovery-codes/renew': async (stage, { token }, at) => {
    await enrolTotp(stage.caller, stage.floor.ground, token, at)
    return {}
  },
}

const requestsAt = (at: Door): [string, Prepare][] =>
  Object.entries(bodies).map(([path, bodyOf]) => [
    `POST ${securityPath(at, path)}`,
    async (stage): Promise<GoodRequest> => {
      const person = await enter[at](stage)
      return { actorId: person.id, token: person.token, body: await bodyOf(stage, person, at) }
    },
  ])

export const requestsOfSecurity: Record<string, Prepare> = Object.fromEntries([
  ...requestsAt('portal'),
  ...requestsAt('desk'),
])
