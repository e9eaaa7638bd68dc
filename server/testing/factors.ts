import assert from 'node:assert/strict'
import type { Ground } from '../foundation/ground.ts'
import { codeAt } from '../sessions/totp-code.ts'
import { type Authenticator, makeAuthenticator } from './authenticator.ts'
import type { Answered, Caller } from './caller.ts'

export type Door = 'portal' | 'desk'
type Credentials = { email: string; password: string }

/** Where a call about one's own factors stands: at the members' door, or at the desk's. */
export function securityPath(at: Door, call = ''): string {
  return `${at === 'portal' ? '/members' : '/desk/api'}/security${call}`
}

export function signInPath(at: Door): string {
  return at === 'portal' ? '/members/login' : '/desk/api/login'
}

/** Whoever calls a server, in this process or another one. */
type Poster = Pick<Caller, 'post'>

/** The app of a person's phone, as far as a test needs one. */
export type Phone = { secret: string; codes: string[]; code(offsetMs?: number): string }

export async function enrolTotp(caller: Poster, ground: Ground, token: string, at: Door = 'portal'): Promise<Phone> {
  const started = await caller.post(securityPath(at, '/totp/start'), {}, token)
  assert.equal(started.status, 200, started.raw)
  const secret = String(started.body.secret)
  const code = (offsetMs = 0) => codeAt(secret, new Date(ground.clock.now().getTime() + offsetMs))
  const confirmed = await caller.post(securityPath(at, '/totp/confirm'), { code: code() }, token)
  assert.equal(confirmed.status, 200, confirmed.raw)
  return { secret, codes: (confirmed.body.recovery_codes ?? []) as string[], code }
}

type Key = { authenticator: Authenticator; codes: string[]; token: string; at?: Door; name?: string }

export async function enrolPasskey(caller: Caller, given: Omit<Key, 'authenticator' | 'codes'> & { origin: string }) {
  const { token, at = 'portal', name = 'Laptop', origin } = given
  const authenticator = makeAuthenticator(origin)
  const started = await caller.post(securityPath(at, '/passkeys/start'), {}, token)
  assert.equal(started.status, 200, started.raw)
  const passkey = authenticator.register(started.body.passkey)
  const added = await caller.post(securityPath(at, '/passkeys/add'), { name, passkey }, token)
  assert.equal(added.status, 200, added.raw)
  return { authenticator, codes: (added.body.recovery_codes ?? []) as string[] }
}

export type Asked = { challenge: string; expires_at: number; methods: string[]; passkey: { challenge: string } | null }

/** The first half of a sign-in: the password, which is not enough. */
export async function enterPassword(
  caller: Poster,
  { email, password }: Credentials,
  at: Door = 'portal',
): Promise<Asked> {
  const answer = await caller.post(signInPath(at), { email, password })
  assert.deepEqual([answer.status, answer.body.status], [200, 'second_factor_required'], answer.raw)
  return answer.body.second_factor as Asked
}

export function enterFactor(caller: Poster, challenge: string, factor: object, at: Door = 'portal'): Promise<Answered> {
  return caller.post(`${signInPath(at)}/second-factor`, { challenge, ...factor })
}
