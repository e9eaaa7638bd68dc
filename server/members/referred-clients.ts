import type { CallAnswer } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { exportClients, listClients } from '@atrium/contract/members/sales.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorize, type Member } from '../foundation/actor.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { reading, type Tx } from '../foundation/database/database.ts'
import { nameContains } from '../foundation/member-labels.ts'

type Filter = z.output<(typeof exportClients)['input']>
type Page = z.output<(typeof listClients)['input']>
type ClientList = Omit<CallAnswer<typeof listClients>, 'status'>
type Client = ClientList['clients'][number]

/** The clients that this salesperson referred, read through a narrow database function instead of the tables. */
export function listReferredClients(member: Member, filter: Page): Promise<ClientList> {
  authorize(member, 'sales')
  return reading(member, async (tx) => {
    const { total } = await select(tx, filter).select(sql<string>`count(*)`.as('total')).executeTakeFirstOrThrow()
    const clients = await sorted(tx, filter)
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit)
      .execute()
    return { clients, total: Number(total) }
  })
}

const header = ['Name', 'Client number', 'Status', 'Live accounts', 'Demo accounts']

export async function exportReferredClients(member: Member, filter: Filter): Promise<{ csv: string; is_cut: boolean }> {
  authorize(member, 'sales')
  const clients = await reading(member, (tx) =>
    sorted(tx, filter)
      .limit(limits.clientsExportMax + 1)
      .execute(),
  )
  const rows = clients
    .slice(0, limits.clientsExportMax)
    .map((client) => [client.name, client.customer_number, client.status, client.live_count, client.demo_count])
  return {
    csv: csvMark + [header, ...rows].map(csvLine).join(''),
    is_cut: clients.length > limits.clientsExportMax,
  }
}

type Row = Omit<Client, '_id'> & { member_id: string }

function select(tx: Tx, { q, status }: Filter) {
  const facts = sql<Row>`(
    select member_id, first_name || ' ' || last_name as name, customer_number, status, live_count, demo_count
    from referred_clients() where status <> 'erased'
  )`.as<'client'>('client')
  let clients = tx.selectFrom(facts)
  if (status) clients = clients.where('client.status', '=', status)
  if (q) {
    const isNamed = nameContains(sql`plain_name(client.name)`, q)
    clients = clients.where(sql<boolean>`(${isNamed} or client.customer_number = ${q})`)
  }
  return clients
}

function sorted(tx: Tx, filter: Filter) {
  return select(tx, filter)
    .select(['client.member_id as _id', 'client.name', 'client.customer_number', 'client.status'])
    .select(['client.live_count', 'client.demo_count'])
    .orderBy(`client.${filter.sort}`, filter.order)
    .orderBy('client.member_id')
}
