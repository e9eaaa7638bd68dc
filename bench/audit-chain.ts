/**
 * `npm run bench -- audit`: the cost of linking the audit log. Transactions that write one entry each, alternately with and
 * without the chain in the same run, for 1, 4 and 16 writers of one brokerage (decision 0018).
 */

import { type System, systemActor } from '../server/foundation/actor.ts'
import { audit } from '../server/foundation/audit.ts'
import { inTransaction } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { findWorkspace } from '../server/workspaces/workspace.ts'
import { connect } from './against-sql.ts'
import { fillBrokerage } from './fill/fill.ts'
import { describeMeasurement, type Measurement, measure, middleOf } from './measure/measurement.ts'
import { onFixture } from './setup.ts'

const writers = [1, 4, 16]
const entries = Number(process.env.ATRIUM_BENCH_ENTRIES ?? 1_500)
const rounds = Number(process.env.ATRIUM_BENCH_ROUNDS ?? 3)

await onFixture(async ({ context, ownerUrl }) => {
  await fillBrokerage(ownerUrl, 'no password')
  const owner = await connect(ownerUrl)
  const system = (await findWorkspace(context, undefined)) ?? systemActor(context, '')
  for (const workers of writers) {
    const baseline: Measurement[] = []
    const linked: Measurement[] = []
    for (let round = 0; round < rounds; round += 1) {
      await owner.query('alter table audit_log disable trigger link_audit_entry')
      baseline.push(await measure(workers, entries, () => write(system)))
      await owner.query('alter table audit_log enable trigger link_audit_entry')
      linked.push(await measure(workers, entries, () => write(system)))
    }
    console.log(describeMeasurement(`${workers} writers, entries alone`, middleOf(baseline)))
    console.log(describeMeasurement(`${workers} writers, entries and links`, middleOf(linked), middleOf(baseline)))
  }
  await owner.end()
})

function write(system: System): Promise<void> {
  const entry = { action: 'bench.written', subject: { kind: 'bench', id: newId() }, after: { amount: '10.00' } }
  return inTransaction(system, (tx) => audit(tx, system, entry))
}
