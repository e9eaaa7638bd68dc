import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import type { FastifyRequest } from 'fastify'
import type { Member, Staff, System } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import { refuse } from '../foundation/errors.ts'
import { type Recalled, whileProving } from '../foundation/pending-proof.ts'
import { readSessionEndReason } from '../sessions/session-end-reason.ts'
import { findMember, findStaff } from '../sessions/session-proof.ts'
import { findWorkspace } from '../workspaces/workspace.ts'
import { clientAddress } from './client-address.ts'
import { nameInLog } from './log-requests.ts'
import { nameWorkspaceInTrace } from './trace-requests.ts'

/** The workspace of the request's host, as the system actor: nobody is authenticated yet. */
export async function proveWorkspace(context: Context, request: FastifyRequest): Promise<System> {
  const system = await findWorkspace(context, request.headers.host)
  if (!system) refuse('not_found', 'There is nothing here.')
  nameInLog(request, { workspace: system.workspaceId })
  nameWorkspaceInTrace(system.workspaceId)
  const address = clientAddress(request)
  return { ...system, requestId: request.id, ...(address && { address }) }
}

type Proving = { mayEnrol?: boolean }

export async function proveMember(system: System, request: FastifyRequest, by: Proving = {}): Promise<Member | null> {
  const token = bearerOf(request)
  const member = token ? await findMember(system, { token, of: 'calls', ...by }) : null
  if (member) nameInLog(request, { member: member.memberId })
  return member
}

export async function proveStaff(system: System, request: FastifyRequest, by: Proving = {}): Promise<Staff | null> {
  const token = bearerOf(request)
  const staff = token ? await findStaff(system, { token, of: 'calls', ...by }) : null
  if (staff) nameInLog(request, { staff: staff.staffId })
  return staff
}

/** `give` returns the result or throws the refusal or fault. */
type Early<Person, Result> = { actor: Person; give(): Result }

/**
 * Runs `work` for the person remembered for this token, while the proof is repeated with its first reads; until then
 * nothing may be set on the reply. Null if nobody is remembered or they have changed: the caller then proves the
 * request anew and runs it again.
 */
export async function runForRecalled<Person extends Member | Staff, Result>(
  request: FastifyRequest,
  recall: (token: string) => Recalled<Person> | null,
  work: (actor: Person) => Promise<Result>,
): Promise<Early<Person, Result> | null> {
  const token = bearerOf(request)
  const recalled = token ? recall(token) : null
  if (!recalled) return null
  const { actor } = recalled
  // Runs once the proof has succeeded: until then the token may be invalid, and the log must not name its former owner.
  const nameThem = () =>
    nameInLog(request, actor.kind === 'member' ? { member: actor.memberId } : { staff: actor.staffId })
  const give = await whileProving(recalled, () => work(actor), nameThem)
  return give && { actor, give }
}

/** Refuses an unauthenticated request; a known token gets the reason why its session ended. */
export async function refuseUnproven(
  system: System,
  request: FastifyRequest,
  kind: 'member' | 'staff' = 'member',
): Promise<never> {
  const token = bearerOf(request)
  refuse('unauthenticated', token ? await readSessionEndReason(system, kind, token) : sessionTexts.signInFirst)
}

export function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer ([A-Za-z0-9_-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1] ?? null
}
