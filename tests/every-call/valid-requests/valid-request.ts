import { randomInt } from 'node:crypto'
import type { MemberType } from '@atrium/contract/access/scopes.ts'
import type pg from 'pg'
import { type Member, type System, systemActor } from '../../../server/foundation/actor.ts'
import type { Caller } from '../../fixtures/caller.ts'
import { answerResetRequests, linksIn, mailsTo } from '../../fixtures/mailbox.ts'
import { addAccount } from '../../fixtures/trading/platforms.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import { addMember, addStaff, memberActor, openTestSession } from '../../fixtures/workspaces.ts'

/** The environment of a valid request: a workspace with an account on a platform, and a caller. */
export type Fixture = {
  setup: TradingFixture
  caller: Caller
  owner: pg.Client
  /** The type of the requesting members; `client` by default. */
  memberType?: MemberType
}

/** A request that its call accepts, with its sender. A null actor means that nobody is signed in and the system acts. */
export type ValidRequest = {
  actorId: string | null
  /** For a request before sign-in: the identity it proves, which is recorded as the actor. */
  proves?: { kind: 'member' | 'staff'; id: string }
  token?: string
  /** Values of the path parameters. */
  places?: Record<string, string>
  query?: string
  /** Additional headers. */
  headers?: Record<string, string>
  /** For a read, its query parameters. */
  body?: object
  /** Instead of a JSON body: a form or a file. */
  form?: string
  file?: { name: string; content: Buffer }
}

/** Creates everything that the call needs, including people, so that no request depends on another one. */
export type Prepare = (fixture: Fixture) => Promise<ValidRequest>

export type Person = { id: string; email: string; password: string; token: string; sessionId: string }

/** A request by a signed-in person. */
export const by = ({ id, token }: Person, request: Partial<ValidRequest> = {}): ValidRequest => ({
  actorId: id,
  token,
  ...request,
})

/** The identity is approved, since deposits and withdrawals may require it. */
export async function enterMember({ setup: { system }, memberType = 'client' }: Fixture): Promise<Person> {
  const approved = { documents_status: 'approved', papers_elsewhere: true }
  const { memberId, email, password } = await addMember(system, { type: memberType, ...approved })
  return { id: memberId, email, password, ...(await openTestSession(system, { kind: 'member', id: memberId })) }
}

export async function enterStaff({ setup: { system } }: Fixture): Promise<Person> {
  const { staffId, email, password } = await addStaff(system)
  return { id: staffId, email, password, ...(await openTestSession(system, { kind: 'staff', id: staffId })) }
}

/** An account of theirs that also exists on its platform. */
export async function addPlatformAccount(
  { setup }: Pick<Fixture, 'setup'>,
  { id: memberId }: Pick<Person, 'id'>,
): Promise<string> {
  const { system, platformId, simulator } = setup
  const login = String(randomInt(800_000_000, 900_000_000))
  simulator.control.seedAccounts([
    { login, group: 'real\\standard-usd', name: 'Somebody New', leverage: 100, balance: '10.00' },
  ])
  return addAccount(system, { memberId, platformId, platform_login: login })
}

export async function actorOf({ setup: { system } }: Fixture, { id, sessionId }: Person): Promise<Member> {
  return { ...(await memberActor(system, id)), sessionId }
}

/** Another session of the same person. */
export async function enterElsewhere(system: System, kind: 'member' | 'staff', { id }: Person): Promise<string> {
  return (await openTestSession(systemActor(system.context, system.workspaceId), { kind, id })).sessionId
}

export const newPassword = { password: 'Tidal-Gauge-71', password_confirmation: 'Tidal-Gauge-71' }

/** The code in the newest link mailed to this address. */
export async function mailedCode({ setup: { system } }: Fixture, email: string): Promise<string> {
  await answerResetRequests(system)
  const mail = (await mailsTo(system, email)).at(-1)
  return (
    linksIn(mail?.text ?? '')[0]
      ?.split('/')
      .at(-1) ?? ''
  )
}
