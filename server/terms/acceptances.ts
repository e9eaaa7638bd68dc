import type { CallAnswer } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import type { exportAcceptances, listAcceptances } from '@atrium/contract/terms/desk-calls.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { containing } from '../foundation/database/containing.ts'
import { inTransaction, reading, type Tx } from '../foundation/database/database.ts'
import { refuseNotFound } from '../foundation/errors.ts'
import { describeDevice } from '../sessions/device.ts'

type Listed = z.output<(typeof listAcceptances)['input']>
type Filters = z.output<(typeof exportAcceptances)['input']>
type Acceptance = CallAnswer<typeof listAcceptances>['acceptances'][number]

function selectAcceptances(tx: Tx, staff: Staff, { id, q, version }: Filters) {
  let rows = tx
    .selectFrom('terms_acceptances as accepted')
    .innerJoin('members as member', (join) =>
      join
        .onRef('member.workspace_id', '=', 'accepted.workspace_id')
        .onRef('member.member_id', '=', 'accepted.member_id'),
    )
    .where('accepted.workspace_id', '=', staff.workspaceId)
    .where('accepted.template_id', '=', id)
  if (version !== undefined) rows = rows.where('accepted.version', '=', version)
  if (!q) return rows
  const contains = containing(q)
  return rows.where(
    sql<boolean>`(member.customer_number = ${q} or member.email ilike ${contains}
      or (member.first_name || ' ' || member.last_name) ilike ${contains})`,
  )
}

const acceptanceColumns = [
  'accepted.version',
  'accepted.accepted_at',
  'accepted.address',
  'accepted.user_agent',
  'accepted.session_id',
  'member.member_id',
  'member.first_name',
  'member.last_name',
  'member.email',
  'member.customer_number',
] as const

type Found = { staff: Staff; filter: Filters; limit: number; offset: number }

async function findAcceptances(tx: Tx, { staff, filter, limit, offset }: Found) {
  await assertTerms(tx, staff, filter.id)
  const rows = selectAcceptances(tx, staff, filter)
  const { total } = await rows.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const found = await rows
    .select(acceptanceColumns)
    .orderBy('accepted.accepted_at', 'desc')
    .orderBy('accepted.member_id')
    .orderBy('accepted.version', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { found, total }
}

async function assertTerms(tx: Tx, staff: Staff, id: string): Promise<void> {
  const row = await tx
    .selectFrom('terms_templates')
    .select('template_id')
    .where('workspace_id', '=', staff.workspaceId)
    .where('template_id', '=', id)
    .executeTakeFirst()
  if (!row) refuseNotFound()
}

/** Who accepted, the latest first. */
export async function listAcceptancesOf(
  staff: Staff,
  { page, limit, ...filter }: Listed,
): Promise<{ acceptances: Acceptance[]; total: number }> {
  authorizeStaff(staff, 'members.read')
  return reading(staff, async (tx) => {
    const { found, total } = await findAcceptances(tx, { staff, filter, limit, offset: (page - 1) * limit })
    const acceptances = found.map((row) => ({
      _id: `${row.member_id}:${row.version}`,
      member: {
        _id: row.member_id,
        name: `${row.first_name} ${row.last_name}`,
        customer_number: row.customer_number,
      },
      version: row.version,
      accepted_at: row.accepted_at.getTime(),
      address: row.address,
      device: describeDevice(row.user_agent),
    }))
    return { acceptances, total }
  })
}

const csvHeads = ['Customer number', 'Name', 'Email', 'Version', 'Accepted at (UTC)', 'Address', 'Browser', 'Session']

/** The same as a table. That it was taken away, and of whom, is written down. */
export async function exportAcceptancesOf(staff: Staff, filter: Filters) {
  authorizeStaff(staff, 'members.read')
  return inTransaction(staff, async (tx) => {
    const limit = limits.termsExportRowsMax
    const { found, total } = await findAcceptances(tx, { staff, filter, limit, offset: 0 })
    await audit(tx, staff, {
      action: 'terms.acceptances-exported',
      subject: { kind: 'terms', id: filter.id },
      // As of the list of members: that it was searched is enough, what for may be anybody's name.
      after: { version: filter.version, q: filter.q === undefined ? undefined : '…', rows: found.length },
    })
    const rows = found.map((row) => [
      row.customer_number,
      `${row.first_name} ${row.last_name}`,
      row.email,
      row.version,
      row.accepted_at.toISOString(),
      row.address,
      row.user_agent,
      row.session_id,
    ])
    const day = staff.context.clock.now().toISOString().slice(0, 10)
    return {
      name: `terms-accepted-${day}.csv`,
      csv: csvMark + [csvHeads, ...rows].map(csvLine).join(''),
      left_off: total - found.length,
    }
  })
}
