import type { DaySum, exportReconciliation, Mismatch } from '@atrium/contract/reconciliation/desk-calls.ts'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../foundation/actor.ts'
import { audit } from '../foundation/audit.ts'
import { csvLine, csvMark } from '../foundation/csv.ts'
import { inTransaction, reading } from '../foundation/database/database.ts'
import { dayIn } from '../foundation/days.ts'
import { readZone } from '../workspaces/today.ts'
import { differencesMax, listExportedDays, listMismatches, readDays } from './queries.ts'

type Asked = z.output<(typeof exportReconciliation)['input']>

/** Days or their mismatches as a CSV table; audits the caller and the filters first. */
export async function exportDays(staff: Staff, asked: Asked): Promise<AsyncIterable<string>> {
  authorizeStaff(staff, 'money.read')
  const days = await inTransaction(staff, async (tx) => {
    const subject = { kind: 'workspace', id: staff.workspaceId }
    await audit(tx, staff, { action: 'reconciliation.exported', subject, after: { ...asked } })
    const today = dayIn(staff.context.clock.now(), await readZone(tx, staff))
    return listExportedDays(tx, staff, asked, today)
  })
  return writeTable(staff, asked, days)
}

const heads = {
  sums: ['Day', 'Currency', 'Method', 'Type', 'Portal', 'Provider', 'Platform', 'Open', 'Explained'],
  differences: [
    ...['Day', 'Kind', 'Currency', 'Method', 'Portal', 'Provider', 'Provider currency', 'Platform'],
    ...['Account', 'Transaction', 'Reference', 'State', 'Note', 'Explained by'],
  ],
}

/** One day at a time, each in its own transaction, so that a slow reader holds no connection. */
async function* writeTable(staff: Staff, asked: Asked, days: readonly string[]) {
  yield csvMark + csvLine(heads[asked.of])
  for (const day of days) {
    const range = { from: day, to: day }
    if (asked.of === 'differences') {
      yield* mismatchesOf(staff, asked, range)
      continue
    }
    const lines = await reading(staff, async (tx) => {
      const [found] = await readDays(tx, staff, range, asked)
      if (!found || (asked.only && found.open + found.explained === 0)) return []
      return found.sums.map((sum) => lineOfSum(found, sum))
    })
    yield lines.join('')
  }
}

/** Part by part, since a day may have more mismatches than a screen shows. */
async function* mismatchesOf(staff: Staff, filter: Asked, range: { from: string; to: string }) {
  for (let after: string | undefined; ; ) {
    const rows = await reading(staff, (tx) => listMismatches(tx, staff, { range, filter, after }))
    yield rows.map(lineOfMismatch).join('')
    if (rows.length < differencesMax) return
    after = rows.at(-1)?._id
  }
}

const cell = (amount: string | null) => (amount === null ? null : { amount })

function lineOfSum({ day, open, explained }: { day: string; open: number; explained: number }, sum: DaySum): string {
  const [portal, provider, platform] = [sum.portal, sum.provider, sum.platform].map(cell)
  return csvLine([
    ...[day, sum.currency, sum.method, sum.type, portal ?? null, provider ?? null, platform ?? null, open, explained],
  ])
}

function lineOfMismatch(row: Mismatch): string {
  return csvLine([
    ...[row.day, row.kind, row.currency, row.method, cell(row.portal), cell(row.provider), row.provider_currency],
    ...[cell(row.platform), row.account?.platform_login ?? null, row.transaction?.ticket ?? null, row.reference],
    ...[row.state, row.note, row.explained_by],
  ])
}
