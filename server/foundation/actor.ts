import type { Feature, MemberType, Scope } from '@atrium/contract/access/scopes.ts'
import { type Features, isBlockedBy, isFeatureOn, isForType, isPermitted } from '@atrium/contract/access/scopes.ts'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { type DeskRight, holdsRight } from '@atrium/contract/staff/rights.ts'
import type { Context } from './context.ts'
import { refuse } from './errors.ts'
import type { PendingTerms } from './pending-terms.ts'

type Origin = { context: Context; workspaceId: string; requestId?: string; address?: string }

export type Member = Origin & {
  kind: 'member'
  memberId: string
  sessionId: string
  type: MemberType
  permissions: readonly string[]
  features: Features
  /** Terms still to accept, as of the authentication of the call. */
  terms: readonly PendingTerms[]
  mustEnrol: boolean
  /** Last use of the session, as of the authentication of the call. */
  lastSeenAt?: Date
}
export type Staff = Origin & {
  kind: 'staff'
  staffId: string
  sessionId: string
  role: string
  name: string
  email: string
  /** Must still set up the required second factor; such a session may make only the calls for that. */
  mustEnrol: boolean
  lastSeenAt?: Date
  /** Idempotency key and body hash of a money decision (money-decisions/decided-once.ts). */
  decision?: { key: string; bodyHash: Buffer } | undefined
}

/**
 * The program: jobs, webhooks, and a request before authentication. `member`: the member whose request needs what
 * members may not do; the audit log names the member, who also reads own writes.
 */
export type System = Origin & { kind: 'system'; member?: Member }

/**
 * Who performs a unit of work, in which workspace. Created only where a session, job or webhook proves the workspace;
 * required by all code that touches tenant data.
 */
export type Actor = Member | Staff | System

export function systemActor(context: Context, workspaceId: string): System {
  return { kind: 'system', context, workspaceId }
}

/** The system actor within a member's request. */
export function systemFor(member: Member): System {
  const { context, workspaceId, requestId, address } = member
  return { kind: 'system', context, workspaceId, ...(requestId && { requestId }), ...(address && { address }), member }
}

/** The actor recorded in the audit log. */
export const actorOf = (actor: Actor): Actor => (actor.kind === 'system' ? (actor.member ?? actor) : actor)

/**
 * Refuses a member without access to any of these scopes: 404 when the feature of each is off, 403 when a permission is
 * missing or terms are pending. Access to one scope is enough.
 */
export function authorize(actor: Actor, ...scopes: readonly Scope[]): void {
  if (actor.kind !== 'member') return
  const blocked = termsBlocking(actor, authorizeBeforeTerms(actor, ...scopes))
  if (blocked.length > 0) refuse('terms_required', sessionTexts.termsRequired, { terms: blocked })
}

/** The same without the check of terms, for accepting terms and leaving. Returns the permitted scopes. */
export function authorizeBeforeTerms(member: Member, ...scopes: readonly Scope[]): Scope[] {
  const on = scopesOn(member, scopes)
  if (on.length === 0) refuse('feature_off', featureOff)
  const permitted = permittedOf(member, on)
  if (permitted.length === 0) refuse('not_permitted', notPermitted)
  return permitted
}

/** Whether `authorize` would let the member in, for what answers as not found otherwise. */
export function isOpenTo(member: Member, ...scopes: readonly Scope[]): boolean {
  const permitted = permittedOf(member, scopesOn(member, scopes))
  return permitted.length > 0 && termsBlocking(member, permitted).length === 0
}

const scopesOn = ({ features }: Member, scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => isFeatureOn(scope, features))

const permittedOf = ({ type, permissions }: Member, scopes: readonly Scope[]): Scope[] =>
  scopes.filter((scope) => isForType(scope, type) && isPermitted(scope, permissions))

/** Refuses while a call's own feature, beside that of its scope, is off. */
export function authorizeFeature(member: Member, feature: Feature | undefined): void {
  if (feature !== undefined && !member.features[feature]) refuse('feature_off', featureOff)
}

/** Refuses a member to whom a call's own permission, beside that of its scope, is denied. */
export function authorizePermission({ permissions }: Member, scope: Scope | undefined): void {
  if (scope !== undefined && !isPermitted(scope, permissions)) refuse('not_permitted', notPermitted)
}

const notPermitted = 'You do not have access to this.'
const featureOff = 'This feature is not available.'

/** All pending terms if they block each of these scopes; empty if one is open. */
export function termsBlocking(member: Member, scopes: readonly Scope[]): readonly PendingTerms[] {
  const isClosed = (scope: Scope) =>
    member.terms.some(({ blocked_portal_sections: sections }) => isBlockedBy(scope, sections))
  return scopes.every(isClosed) ? member.terms : []
}

export function authorizeStaff(actor: Staff, right: DeskRight | undefined): void {
  if (right === undefined || !holdsRight(actor.role, right)) refuse('not_permitted', 'Your role does not allow this.')
}
