import { randomUUID } from 'node:crypto'
import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { hashPassword } from '../server/sessions/passwords/password.ts'

/** Clients of the demo's sales person, beside the other members. They do not sign in. */
const clients: [first: string, last: string, status?: 'locked'][] = [
  ['Aisha', 'Rahman'],
  ['Björn', 'Håkansson'],
  ['Chiara', 'De Santis'],
  ['Daniel', "O'Sullivan"],
  ['Efua', 'Mensah'],
  ['Florin', 'Ionescu', 'locked'],
  ['Grace', 'Camilleri'],
  ['Hiroshi', 'Yamamoto'],
  ['Inês', 'Carvalho'],
]

type Ids = { member: string; second: string; new: string; sales: string; others: string[] }

export async function addReferredClients(tx: Tx, system: System, ids: Ids): Promise<void> {
  const password_hash = await hashPassword(randomUUID())
  const now = system.context.clock.now().getTime()
  const base = { workspace_id: system.workspaceId, referred_by: ids.sales, password_hash }
  const rows = clients.map(([first_name, last_name, status = 'active'], index) => ({
    ...base,
    member_id: newId(),
    customer_number: String(100_420 + index * 7),
    first_name,
    last_name,
    status,
    email: `client-${index + 1}@harbour-clients.example`,
    created_at: new Date(now - (300 - index * 30) * 86_400_000),
  }))
  await tx.insertInto('members').values(rows).execute()
  await tx
    .updateTable('members')
    .set({ referred_by: ids.sales })
    .where('workspace_id', '=', system.workspaceId)
    .where('member_id', 'in', [ids.member, ids.second, ids.new, ...ids.others])
    .execute()
}
