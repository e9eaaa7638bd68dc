import { codeAt } from '../../../server/sessions/factors/totp-code.ts'
import { makeAuthenticator } from '../../fixtures/authenticator.ts'
import { type App, enrolPasskey, enrolTotp, securityPath } from '../../fixtures/second-factors.ts'
import { enterMember, enterStaff, type Fixture, type Person, type Prepare, type ValidRequest } from './valid-request.ts'

/** The calls about one's own second factors, which are the same for members and staff. */
const enter = { portal: enterMember, desk: enterStaff }
const originOf = ({ setup }: Fixture): string => `http://localhost:${setup.context.config.port}`

type OfPerson = (fixture: Fixture, person: Person, at: App) => Promise<object>

async function passkeyOf(fixture: Fixture, { token }: Person, at: App): Promise<string> {
  await enrolPasskey(fixture.caller, { token, origin: originOf(fixture), at })
  const { body } = await fixture.caller.get(securityPath(at), token)
  const { passkeys } = body.security as { passkeys: { _id: string }[] }
  return String(passkeys[0]?._id)
}

const bodies: Record<string, OfPerson> = {
  '/prove/start': async (fixture, person, at) => {
    await passkeyOf(fixture, person, at)
    return {}
  },
  '/prove': async (_stage, { password }) => ({ password }),
  '/totp/start': async () => ({}),
  '/totp/confirm': async (fixture, { token }, at) => {
    const { body } = await fixture.caller.post(securityPath(at, '/totp/start'), {}, token)
    return { code: codeAt(String(body.secret), fixture.setup.context.clock.now()) }
  },
  '/totp/remove': async (fixture, { token }, at) => {
    await enrolTotp(fixture.caller, fixture.setup.context, token, at)
    return {}
  },
  '/passkeys/start': async () => ({}),
  '/passkeys/add': async (fixture, { token }, at) => {
    const { body } = await fixture.caller.post(securityPath(at, '/passkeys/start'), {}, token)
    return { name: 'Laptop', passkey: makeAuthenticator(originOf(fixture)).register(body.passkey) }
  },
  '/passkeys/rename': async (fixture, person, at) => ({ _id: await passkeyOf(fixture, person, at), name: 'Work' }),
  '/passkeys/remove': async (fixture, person, at) => ({ _id: await passkeyOf(fixture, person, at) }),
  '/recovery-codes/renew': async (fixture, { token }, at) => {
    await enrolTotp(fixture.caller, fixture.setup.context, token, at)
    return {}
  },
}

const requestsAt = (at: App): [string, Prepare][] =>
  Object.entries(bodies).map(([path, bodyOf]) => [
    `POST ${securityPath(at, path)}`,
    async (fixture): Promise<ValidRequest> => {
      const person = await enter[at](fixture)
      return { actorId: person.id, token: person.token, body: await bodyOf(fixture, person, at) }
    },
  ])

export const requestsOfSecurity: Record<string, Prepare> = Object.fromEntries([
  ...requestsAt('portal'),
  ...requestsAt('desk'),
])
