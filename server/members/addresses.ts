import type { addressesInput } from '@atrium/contract/members/calls.ts'
import { profileTexts } from '@atrium/contract/members/texts.ts'
import type { z } from 'zod'
import type { Member } from '../foundation/actor.ts'
import type { Tx } from '../foundation/database/database.ts'
import { refuseFields } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { type AddressShape, addressColumns, listAddresses } from './queries.ts'

type Wanted = z.output<typeof addressesInput>

/** Replaces all addresses of the member; a removed one gets a date and its row stays. */
export function replaceAddresses(member: Member, wanted: Wanted) {
  let rows: Row[] = wanted.map((address) => ({ address_id: address._id ?? null, ...columnsOf(address) }))
  return {
    async compare(tx: Tx) {
      const known = await listAddresses(tx, member)
      refuseUnknown(rows, known)
      rows = recognise(rows, known)
      // The order is not stored, so a new order is no change.
      const sorted = [...rows].sort((left, right) => rank(left, known) - rank(right, known))
      return { before: { addresses: known.map(comparable) }, after: { addresses: sorted.map(comparable) } }
    },
    async write(tx: Tx) {
      await removeAll(tx, member)
      for (const { address_id, ...columns } of rows) {
        if (address_id === null) await addAddress(tx, member, columns)
        else await restoreAddress(tx, member, address_id, columns)
      }
    },
  }
}

type Columns = Omit<AddressShape, 'address_id'>
type Row = Columns & { address_id: string | null }

function columnsOf(address: Wanted[number]): Columns {
  return {
    address_line_1: address.address_line_1,
    address_line_2: address.address_line_2 || null,
    city: address.city,
    postcode: address.postcode || null,
    state: address.state || null,
    country_code: address.country,
    is_primary: address.primary,
  }
}

const comparable = (row: Row) =>
  Object.fromEntries([['_id', row.address_id], ...addressColumns.map((name) => [name, row[name]])])

/** Matches a new address to an identical stored one, so that a repeated form adds nothing. */
function recognise(rows: Row[], known: AddressShape[]): Row[] {
  const taken = new Set(rows.map(({ address_id }) => address_id))
  return rows.map((row) => {
    if (row.address_id !== null) return row
    const same = known.find(
      (other) => !taken.has(other.address_id) && addressColumns.every((name) => other[name] === row[name]),
    )
    taken.add(same?.address_id ?? null)
    return { ...row, address_id: same?.address_id ?? null }
  })
}

function rank(row: Row, known: AddressShape[]): number {
  const index = known.findIndex(({ address_id }) => address_id === row.address_id)
  return index === -1 ? known.length : index
}

/** Refuses ids of other members, ids removed in another tab, and repeated ids. */
function refuseUnknown(rows: Row[], known: AddressShape[]): void {
  const named = rows.flatMap(({ address_id }) => address_id ?? [])
  const isKnown = named.every((id) => known.some(({ address_id }) => address_id === id))
  if (!isKnown || new Set(named).size !== named.length) refuseFields({ addresses: [profileTexts.addressUnknown] })
}

/** Runs first, since a unique index allows one primary address at any moment. */
async function removeAll(tx: Tx, member: Member): Promise<void> {
  await tx
    .updateTable('member_addresses')
    .set({ removed_at: member.context.clock.now(), is_primary: false })
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('removed_at', 'is', null)
    .execute()
}

async function addAddress(tx: Tx, member: Member, columns: Columns): Promise<void> {
  await tx
    .insertInto('member_addresses')
    .values({ ...columns, workspace_id: member.workspaceId, member_id: member.memberId, address_id: newId() })
    .execute()
}

async function restoreAddress(tx: Tx, member: Member, addressId: string, columns: Columns): Promise<void> {
  await tx
    .updateTable('member_addresses')
    .set({ ...columns, removed_at: null })
    .where('workspace_id', '=', member.workspaceId)
    .where('member_id', '=', member.memberId)
    .where('address_id', '=', addressId)
    .execute()
}
