import { type DeskRight, holdsRight } from '@atrium/contract/desk-rights.ts'
import type { MemberType, Scope } from '@atrium/contract/scopes.ts'
import { type Features, isFeatureOn, isForType, isPermitted } from '@atrium/contract/scopes.ts'
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
  type: MemberType
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

/**
 * Refuses a member to whom all of these scopes are closed: 404 when the feature of each is off, 403 when it is on and
 * the permission is missing. Several scopes: any of them does.
 */
export function authorize(actor: Actor, ...scopes: readonly Scope[]): void {
  if (actor.kind !== 'member') return
  const on = scopes.filter((scope) => isFeatureOn(scope, actor.features))
  if (on.length === 0) refuse('feature_off', 'This feature is not available.')
  if (!on.some((scope) => isForType(scope, actor.type) && isPermitted(scope, actor.permissions)))
    refuse('not_permitted', 'You do not have access to this.')
}

export function authorizeStaff(actor: Staff, right: DeskRight): void {
  if (!holdsRight(actor.role, right)) refuse('not_permitted', 'Your role does not allow this.')
}
