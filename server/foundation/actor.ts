import type { Scope } from '@atrium/contract/scopes.ts'
import { type Features, isFeatureOn, isPermitted } from '@atrium/contract/scopes.ts'
import { refuse } from './errors.ts'
import type { Ground } from './ground.ts'

/**
 * Who does a unit of work, and in which workspace. An actor is made only where a session, a job or a callback proves the
 * workspace; everything that touches tenant data asks for one.
 */
type Origin = { ground: Ground; workspaceId: string; requestId?: string; address?: string }

export type Member = Origin & {
  kind: 'member'
  memberId: string
  sessionId: string
  permissions: readonly string[]
  features: Features
}
export type Staff = Origin & { kind: 'staff'; staffId: string; sessionId: string; role: string; name: string }
/** The program itself: jobs, callbacks, and the moments of a request before anybody is known. */
export type System = Origin & { kind: 'system' }

export type Actor = Member | Staff | System

export function systemActor(ground: Ground, workspaceId: string): System {
  return { kind: 'system', ground, workspaceId }
}

/** Refuses a member to whom the scope is closed: 404 for a feature that is off, 403 for a missing permission. */
export function authorize(actor: Actor, scope: Scope): void {
  if (actor.kind !== 'member') return
  if (!isFeatureOn(scope, actor.features)) refuse('feature_off', 'This feature is not available.')
  if (!isPermitted(scope, actor.permissions)) refuse('not_permitted', 'You do not have access to this.')
}

/** What staff of a role may decide. A role not named here reads only. */
const rolesThatDecideMoney = ['finance', 'administrator']

export function authorizeMoneyDecision(actor: Staff): void {
  if (!rolesThatDecideMoney.includes(actor.role)) refuse('not_permitted', 'Your role cannot decide on money.')
}
