import type { Feature, MemberType, Scope } from '@atrium/contract/access/scopes.ts'
import { type Features, isBlockedBy, isFeatureOn, isForType, isPermitted } from '@atrium/contract/access/scopes.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import type { Context } from './context.ts'
import { refuse } from './errors.ts'
import type { PendingTerms } from './pending-terms.ts'

/**
 * Who does a unit of work, and in which workspace. An actor is made only where a session, a job or a callback proves the
 * workspace; everything that touches tenant data asks for one.
 */
type Origin = { context: Context; workspaceId: string; requestId?: string; address?: string }

export type Member = Origin & {
  kind: 'member'
  memberId: string
  sessionId: string
  type: MemberType
  permissions: readonly string[]
  features: Features
  /** What the member has still to accept, as of the moment in which the call was proven. */
  terms: readonly PendingTerms[]
  mustEnrol: boolean
  /** Of the session, as of the moment in which the call was proven. */
  lastSeenAt?: Date
}
export type Staff = Origin & {
  kind: 'staff'
  staffId: string
  sessionId: string
  role: string
  name: string
  /** Has still to set up the second factor that the workspace asks for; only the calls that do so let such a session in. */
  mustEnrol: boolean
  lastSeenAt?: Date
  /** The key of the form that a decision about money was sent with, and what it says (money-decisions/decided-once.ts). */
  decision?: { key: string; bodyHash: Buffer } | undefined
}
/**
 * The program itself: jobs, callbacks, and the moments of a request before anybody is known. `member`: in whose request it does
 * what no member may; they stand in the audit log, and what was written counts as theirs when they look for it.
 */
export type System = Origin & { kind: 'system'; member?: Member }

export type Actor = Member | Staff | System

export function systemActor(context: Context, workspaceId: string): System {
  return { kind: 'system', context, workspaceId }
}

/** The program in the request of a member. */
export function systemFor(member: Member): System {
  const { context, workspaceId, requestId, address } = member
  return { kind: 'system', context, workspaceId, ...(requestId && { requestId }), ...(address && { address }), member }
}

/** Who stands in the audit log. */
export const actorOf = (actor: Actor): Actor => (actor.kind === 'system' ? (actor.member ?? actor) : actor)

/**
 * Refuses a member to whom all of these scopes are closed: 404 when the feature of each is off, 403 when it is on and
 * the permission is missing or terms stand in the way. Several scopes: any of them does.
 */
export function authorize(actor: Actor, ...scopes: readonly Scope[]): void {
  if (actor.kind !== 'member') return
  const blocked = termsBlocking(actor, authorizeBeforeTerms(actor, ...scopes))
  if (blocked.length > 0) refuse('terms_required', sessionTexts.termsRequired, { terms: blocked })
}

/** The same for what a member needs in order to accept terms or to leave. Answers the scopes that are open. */
export function authorizeBeforeTerms(member: Member, ...scopes: readonly Scope[]): Scope[] {
  const on = scopes.filter((scope) => isFeatureOn(scope, member.features))
  if (on.length === 0) refuse('feature_off', featureOff)
  const permitted = on.filter((scope) => isForType(scope, member.type) && isPermitted(scope, member.permissions))
  if (permitted.length === 0) refuse('not_permitted', 'You do not have access to this.')
  return permitted
}

/** Refuses what has a feature of its own, beside that of its scope, while that is off. */
export function authorizeFeature(member: Member, feature: Feature | undefined): void {
  if (feature !== undefined && !member.features[feature]) refuse('feature_off', featureOff)
}

const featureOff = 'This feature is not available.'

/** Everything that is pending when it closes each of these scopes; nothing when one of them is open. */
export function termsBlocking(member: Member, scopes: readonly Scope[]): readonly PendingTerms[] {
  const isClosed = (scope: Scope) =>
    member.terms.some(({ blocked_portal_sections: sections }) => isBlockedBy(scope, sections))
  return scopes.every(isClosed) ? member.terms : []
}

export function authorizeStaff(actor: Staff, right: DeskRight | undefined): void {
  if (right === undefined || !holdsRight(actor.role, right)) refuse('not_permitted', 'Your role does not allow this.')
}
