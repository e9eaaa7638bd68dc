import type { MemberType } from '@atrium/contract/access/scopes.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { SalesPerson } from '@atrium/contract/members/desk-calls.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { sql } from 'kysely'
import { type Actor, authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { holdMember } from '../foundation/database/member-lock.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { nameContains } from '../foundation/member-labels.ts'
import { refuseSelfDecision } from '../money-decisions/self-approval.ts'
import { requireProof } from '../sessions/factors/proof.ts'

/** Grants or removes the Sales page. Referred clients keep their referrer when the salesperson is a client again. */
export async function changeMemberType(staff: Staff, memberId: string, type: MemberType, reason: string) {
  authorizeStaff(staff, 'members.change')
  await inTransaction(staff, async (tx) => {
    const { type: before } = await holdMember(tx, staff, memberId)
    if (before === type) return
    if (type === 'sales_person') await refuseSelfDecision(tx, staff, memberId)
    // Salespeople see the clients that they referred, so an unattended session must not make one.
    await requireProof(tx, staff)
    await updateMember(tx, staff, memberId, { type })
    await audit(tx, staff, {
      action: 'member.type-changed',
      subject: { kind: 'member', id: memberId },
      memberId,
      before: { type: before },
      after: { type, reason },
    })
  })
}

type Referral = { seen: string | null; referrer: string | null; reason: string }

export async function changeReferrer(staff: Staff, memberId: string, { seen, referrer, reason }: Referral) {
  authorizeStaff(staff, 'members.change')
  await inTransaction(staff, async (tx) => {
    const { referred_by: before } = await holdMember(tx, staff, memberId)
    if (before === referrer) return
    if (before !== seen) refuse('conflict', deskTexts.referrerMoved)
    await refuseSelfDecision(tx, staff, memberId)
    // A salesperson is paid for their clients, so nobody assigns one to themselves.
    if (referrer !== null) await refuseSelfDecision(tx, staff, referrer)
    await requireProof(tx, staff)
    if (referrer !== null) await requireSalesPerson(tx, staff, referrer, memberId)
    await updateMember(tx, staff, memberId, { referred_by: referrer })
    const names = await readSalesPeople(tx, staff, [before, referrer])
    // The customer number, because a name in another member's log would survive its owner's erasure.
    const numberOf = (id: string | null) => (id === null ? null : (names.get(id)?.customer_number ?? null))
    await audit(tx, staff, {
      action: 'member.referrer-changed',
      subject: { kind: 'member', id: memberId },
      memberId,
      before: { referrer: numberOf(before), referrer_id: before },
      after: { referrer: numberOf(referrer), referrer_id: referrer, reason },
    })
  })
}

async function requireSalesPerson(tx: Tx, staff: Staff, id: string, memberId: string): Promise<void> {
  const row = await salesPeople(tx, staff)
    .where('member_id', '=', id)
    .where('member_id', '!=', memberId)
    .executeTakeFirst()
  if (!row) refuseFields({ referrer: [deskTexts.salesPersonUnknown] })
}

/** Members who can be set as referrer. */
export function listSalesPeople(staff: Staff, q: string | undefined): Promise<SalesPerson[]> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const rows = await salesPeople(tx, staff)
      .$if(q !== undefined && q !== '', (query) =>
        query.where(sql<boolean>`(${nameContains(sql`sort_name`, q ?? '')} or customer_number = ${q ?? ''})`),
      )
      .orderBy('sort_name')
      .orderBy('member_id')
      .limit(limits.salesPeopleShown)
      .execute()
    return rows.map(shape)
  })
}

const salesPersonColumns = ['member_id', 'first_name', 'last_name', 'customer_number'] as const

function salesPeople(tx: Tx, actor: Actor) {
  return tx
    .selectFrom('members')
    .select(salesPersonColumns)
    .where('workspace_id', '=', actor.workspaceId)
    .where('type', '=', 'sales_person')
    .where('status', 'in', ['active', 'invited'])
}

type Row = Record<(typeof salesPersonColumns)[number], string>
const shape = ({ member_id, first_name, last_name, customer_number }: Row): SalesPerson => ({
  _id: member_id,
  name: `${first_name} ${last_name}`,
  customer_number,
})

/** Includes former salespeople. */
async function readSalesPeople(
  tx: Tx,
  actor: Actor,
  ids: readonly (string | null)[],
): Promise<Map<string, SalesPerson>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await tx
    .selectFrom('members')
    .select(salesPersonColumns)
    .where('workspace_id', '=', actor.workspaceId)
    .where('member_id', 'in', wanted)
    .execute()
  return new Map(rows.map((row) => [row.member_id, shape(row)]))
}

/** A member's referrer, since when, and the member's own referrals; the history comes from the audit log. */
export async function readReferral(tx: Tx, staff: Staff, memberId: string, referredBy: string | null) {
  const entries = await tx
    .selectFrom('audit_log as entry')
    .leftJoin('staff_users as colleague', (join) =>
      join
        .onRef('colleague.workspace_id', '=', 'entry.workspace_id')
        .onRef('colleague.staff_id', '=', 'entry.actor_id'),
    )
    .select(['entry.audit_id', 'entry.at', 'colleague.name'])
    .select([
      sql<string | null>`entry.before ->> 'referrer_id'`.as('from_id'),
      sql<string | null>`entry.after ->> 'referrer_id'`.as('to_id'),
      sql<string | null>`entry.after ->> 'reason'`.as('reason'),
    ])
    .where('entry.workspace_id', '=', staff.workspaceId)
    .where('entry.member_id', '=', memberId)
    .where('entry.action', '=', 'member.referrer-changed')
    .orderBy('entry.at', 'desc')
    .orderBy('entry.audit_id', 'desc')
    .limit(limits.referralsShown)
    .execute()
  const people = await readSalesPeople(tx, staff, [
    referredBy,
    ...entries.flatMap(({ from_id, to_id }) => [from_id, to_id]),
  ])
  const personOf = (id: string | null) => (id === null ? null : (people.get(id) ?? null))
  return {
    referrer: personOf(referredBy),
    referrals: entries.map(({ audit_id, at, name, from_id, to_id, reason }) => ({
      _id: audit_id,
      at: at.getTime(),
      by: name ?? '',
      from: personOf(from_id),
      to: personOf(to_id),
      reason: reason ?? '',
    })),
    referred_count: await countReferred(tx, staff, memberId),
  }
}

async function countReferred(tx: Tx, staff: Staff, memberId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('members')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('workspace_id', '=', staff.workspaceId)
    .where('referred_by', '=', memberId)
    .executeTakeFirstOrThrow()
  return count
}

async function updateMember(
  tx: Tx,
  staff: Staff,
  memberId: string,
  change: { type?: MemberType; referred_by?: string | null },
): Promise<void> {
  await tx
    .updateTable('members')
    .set(change)
    .where('workspace_id', '=', staff.workspaceId)
    .where('member_id', '=', memberId)
    .execute()
}
