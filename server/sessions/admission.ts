import { type Expression, sql } from 'kysely'
import type { System } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import type { Tx } from '../foundation/database/database.ts'
import { prepareStatement } from '../foundation/database/prepared-statement.ts'
import { notifyByMail } from '../notifications/notify.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { rememberDevice } from './known-device.ts'
import { newDeviceMail } from './notifications.ts'
import { type Kind, memberIdOf, ownerColumn, type Person, type PersonKey } from './person.ts'
import { type Device, openSession, storedUserAgent, type Tokens } from './session.ts'

export type SignedIn = Tokens & {
  person: Pick<Person, 'id' | 'name' | 'email' | 'type'>
  /** Stored by the browser, to recognise it later. */
  deviceKey: string
  /** The session can only set up a second factor. */
  mustEnrol: boolean
}

/** What `admit` needs to know, read beforehand together with the person. */
export async function readAdmission(tx: Tx, system: System, person: PersonKey, device: Device) {
  const [isKnown, { settings }] = await Promise.all([
    knowsDevice(tx, system, person, device),
    readWorkspace(tx, system),
  ])
  return { isKnown, settings }
}

type Admission = Awaited<ReturnType<typeof readAdmission>>
type Admitted = { person: PersonKey; row: Person; device: Device; withFactor: boolean; read: Admission }

/** Opens a session after all required proofs, in the transaction that holds the person's row. */
export async function admit(tx: Tx, system: System, admitted: Admitted): Promise<SignedIn> {
  const { person, row, device, withFactor, read } = admitted
  const { kind, id } = person
  const { isKnown, settings } = read
  const after = withFactor ? { second_factor: true } : undefined
  const entry = { action: 'session.opened', subject: { kind, id }, by: { kind, id } }
  const at = system.context.clock.now()
  // Pipelined: the database runs them in order, without a round trip between them.
  const [tokens, deviceKey] = await Promise.all([
    openSession(tx, system, person, device, { withFactor, at }),
    rememberDevice(tx, system, person, { ...device, at }),
    audit(tx, system, { ...entry, memberId: memberIdOf(person) ?? undefined, ...(after && { after }) }),
  ])
  if (!isKnown) await notifyByMail(tx, system, newDeviceMail(row, device, at))
  const rule = kind === 'member' ? settings.second_factor_members : settings.second_factor_staff
  return { ...tokens, deviceKey, person: row, mustEnrol: !withFactor && rule === 'required' }
}

/** Ignores browser versions: an update every few weeks must not count as a new device, or members ignore these mails. */
async function knowsDevice(tx: Tx, { workspaceId }: System, { kind, id }: PersonKey, device: Device): Promise<boolean> {
  const { address } = device
  const found = await sessionFrom(tx, { workspaceId, id, address, userAgent: storedUserAgent(device) }, kind)
  return found.rows.length > 0
}

type From = { workspaceId: string; id: string; address: string | null; userAgent: string | null }

const withoutVersions = (agent: Expression<string | null>) =>
  sql<string>`regexp_replace(coalesce(${agent}, ''), '[0-9.]+', '', 'g')`

const sessionFrom = prepareStatement(
  'session_from',
  (tx: Tx, { workspaceId, id, address, userAgent }: From, kind: Kind) =>
    tx
      .selectFrom('sessions')
      .select('session_id')
      .where('workspace_id', '=', workspaceId)
      .where(ownerColumn[kind], '=', id)
      .where(sql<boolean>`address is not distinct from ${address}::inet`)
      .where((is) => is(withoutVersions(is.ref('user_agent')), '=', withoutVersions(is.val(userAgent))))
      .limit(sql.lit(1)),
)
