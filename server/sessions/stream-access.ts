import type { Scope } from '@atrium/contract/access/scopes.ts'
import { authorize, type Member, type System } from '../foundation/actor.ts'
import { Refusal } from '../foundation/errors.ts'
import { keepAlive, type Watcher, type Watchers } from '../foundation/streams/stream-watchers.ts'
import { findMembersAgain } from './session-proof.ts'

/** The streams, and the scope that they need. */
type Streams<Sent> = { watchers: Watchers<Sent>; own: readonly Watcher<Sent>[]; scope: Scope }

/**
 * Ends streams whose member would now be refused, and returns the others. One statement for all, with the same scopes
 * as calls.
 */
export async function checkStreamAccess<Sent>(
  system: System,
  { watchers, own, scope }: Streams<Sent>,
): Promise<Watcher<Sent>[]> {
  const members = await findMembersAgain(
    system,
    own.map(({ member }) => member.sessionId),
  )
  return own.filter((watcher) => {
    const code = refusalOf(members.get(watcher.member.sessionId), scope)
    if (code) watchers.end(watcher, code)
    else keepAlive(watcher)
    return !code
  })
}

/** The code with which a call would be refused now; null when it would be accepted. */
function refusalOf(member: Member | undefined, scope: Scope): string | null {
  if (!member) return 'unauthenticated'
  try {
    authorize(member, scope)
    return null
  } catch (problem) {
    if (problem instanceof Refusal) return problem.code
    throw problem
  }
}
