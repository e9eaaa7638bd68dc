import type { System } from '../../server/foundation/actor.ts'
import { enrolTotp, enterPassword } from '../fixtures/second-factors.ts'
import { addMember, addStaff, addWorkspace, openTestSession } from '../fixtures/workspaces.ts'
import type { EveryCall } from './fixture.ts'

export type BadToken = { name: string; headers: Record<string, string> }

/** Every kind of token that must not authenticate. */
export async function makeBadTokens({ setup: { context, system }, quiet, caller }: EveryCall): Promise<BadToken[]> {
  const member = await openTestSession(system, { kind: 'member', id: (await addMember(system)).memberId })
  const staff = await openTestSession(system, { kind: 'staff', id: (await addStaff(system)).staffId })
  const past = new Date(context.clock.now().getTime() - 1)
  const idleSince = new Date(past.getTime() - context.config.sessionIdleMs)
  const lapsed = async (set: string, moment = past): Promise<string> => {
    const { memberId } = await addMember(system)
    const { token, sessionId } = await openTestSession(system, { kind: 'member', id: memberId })
    await quiet.query(`update sessions set ${set} = $2 where session_id = $1`, [sessionId, moment])
    return token
  }
  const tokenOf = async (of: System, status = 'active'): Promise<string> => {
    const { memberId } = await addMember(of, { status })
    return (await openTestSession(of, { kind: 'member', id: memberId })).token
  }
  const asked = await addMember(system)
  const { token: askedToken } = await openTestSession(system, { kind: 'member', id: asked.memberId })
  await enrolTotp(caller, context, askedToken)
  const { challenge } = await enterPassword(caller, asked)
  const swapped = [...member.token]
    .map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))
    .join('')
  const written: Record<string, string> = {
    'an empty token': 'Bearer ',
    'no scheme': member.token,
    'another scheme': `Basic ${member.token}`,
    'a scheme in lower case': `bearer ${member.token}`,
    'two spaces': `Bearer  ${member.token}`,
    'trailing text': `Bearer ${member.token} x`,
    'two tokens': `Bearer ${member.token}, Bearer ${staff.token}`,
    'a shortened token': `Bearer ${member.token.slice(0, -1)}`,
    'a lengthened token': `Bearer ${member.token}A`,
    'a padded token': `Bearer ${member.token}=`,
    'a token in swapped case': `Bearer ${swapped}`,
    'an invented token': `Bearer ${'A'.repeat(43)}`,
    'a token in hex': `Bearer ${Buffer.from(member.token).toString('hex')}`,
    'the file token': `Bearer ${member.fileToken}`,
    'an injection': `Bearer ' or 1=1 --`,
    'a token of an ended session': `Bearer ${await lapsed('ended_at')}`,
    'a token of an idle session': `Bearer ${await lapsed('last_seen_at', idleSince)}`,
    'a token of an expired session': `Bearer ${await lapsed('expires_at')}`,
    'a token of another brokerage': `Bearer ${await tokenOf(await addWorkspace(context))}`,
    'a token of a locked member': `Bearer ${await tokenOf(system, 'locked')}`,
    'a token of an erased member': `Bearer ${await tokenOf(system, 'erased')}`,
    'the challenge of an unfinished sign-in': `Bearer ${challenge}`,
  }
  return Object.entries(written).map(([name, authorization]) => ({ name, headers: { authorization } }))
}
