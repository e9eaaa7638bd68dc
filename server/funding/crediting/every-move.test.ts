/**
 * T4: tries every (role, from, to) of every entity that moves money against the database itself: the listed transitions
 * succeed and all others fail; a member can only cancel what is pending.
 */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { transactionMoves, transactionStates } from '@atrium/contract/funding/states.ts'
import { orderMoves, orderStates } from '@atrium/contract/payments/orders.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startOrder,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { makePendingWithdrawal } from '../../../tests/fixtures/payments/withdrawals.ts'
import { makePendingDeposit, readIntents } from '../../../tests/fixtures/trading/trading-fixture.ts'
import { approveDeposit } from '../../deposits/decision.ts'
import type { Actor } from '../../foundation/actor.ts'
import { inTransaction } from '../../foundation/database/database.ts'
import { type IntentState, intentMoves } from './intent-moves.ts'

let setup: PaymentFixture
let owner: pg.Client
before(async () => {
  setup = await openPaymentFixture()
  owner = await setup.openOwner()
})
after(() => setup.close())

type Row = { table: string; key: string; id: string; also: string }

/** Sets a state past the triggers, in this test only, to create the starting state. */
async function put({ table, key, id, also }: Row, state: string): Promise<void> {
  await owner.query('set session_replication_role = replica')
  await owner.query(`update ${table} set state = $1${also} where ${key} = $2`, [state, id])
  await owner.query('set session_replication_role = origin')
}

class Undone extends Error {}
/** The database's refusals: a check constraint, a missing privilege, or a row hidden by row security. */
const refusals = ['23514', '42501']

async function mayMove(actor: Actor, { table, key, id }: Row, to: string): Promise<boolean> {
  try {
    await inTransaction(actor, async (tx) => {
      const moved = await sql`update ${sql.table(table)} set state = ${to}
        where workspace_id = ${actor.workspaceId}::uuid and ${sql.ref(key)} = ${id}::uuid`.execute(tx)
      throw moved.numAffectedRows === 1n ? new Undone() : Object.assign(new Error('No row'), { code: '42501' })
    })
  } catch (problem) {
    if (problem instanceof Undone) return true
    const { code, message } = problem as { code?: string; message: string }
    assert.ok(refusals.includes(code ?? ''), message)
    return false
  }
  return false
}

type Moves = Readonly<Record<string, readonly string[] | undefined>>

/** Staff may make the system's transitions unless `ofStaff` says otherwise. */
type Legal = { moves: Moves; ofMembers: Moves; ofStaff?: Moves }

async function tryAll(row: Row, states: readonly string[], { moves, ofMembers, ofStaff = moves }: Legal) {
  const { system, staff, member } = setup
  const legal = { system: moves, staff: ofStaff, member: ofMembers }
  let tried = 0
  for (const from of states) {
    await put(row, from)
    for (const to of states.filter((state) => state !== from))
      for (const actor of [system, staff, member]) {
        const wanted = legal[actor.kind][from]?.includes(to) ?? false
        assert.equal(await mayMove(actor, row, to), wanted, `${row.table}: ${actor.kind} from ${from} to ${to}`)
        tried += 1
      }
  }
  assert.equal(tried, states.length * (states.length - 1) * 3)
}

const ofMembers = { pending: ['cancelled'] }
const ofTransactions = `, platform_ticket = '4711', rejection_reason = 'other', debited_at = now(), paid_at = now()`

describe('every state transition for every role', () => {
  it('lets a deposit make exactly the listed moves, by the listed roles', async () => {
    const id = await makePendingDeposit(setup)
    const row = { table: 'balance_transactions', key: 'transaction_id', id, also: ofTransactions }
    const ofStaff = { pending: ['crediting', 'rejected', 'cancelled'] }
    await tryAll(row, transactionStates, { moves: transactionMoves.deposit, ofMembers, ofStaff })
  })

  it('lets a withdrawal make exactly the listed moves, by the listed roles', async () => {
    const id = await makePendingWithdrawal(setup)
    const row = { table: 'balance_transactions', key: 'transaction_id', id, also: ofTransactions }
    // Without an approval no staff role may debit it.
    const ofStaff = { pending: ['rejected', 'cancelled'], paying: ['approved', 'returning'] }
    await tryAll(row, transactionStates, { moves: transactionMoves.withdrawal, ofMembers, ofStaff })
  })

  it('lets a provider order make exactly the listed moves, by the listed roles', async () => {
    const { order: id } = await startOrder(setup)
    await readOrder(setup, id)
    const row = { table: 'deposit_orders', key: 'order_id', id, also: `, staff_reason = 'returned'` }
    await tryAll(row, orderStates, { moves: orderMoves, ofMembers: {} })
  })

  it('lets a platform intent make exactly the listed moves, by the listed roles', async () => {
    const deposit = await makePendingDeposit(setup, '12.34')
    await approveDeposit(setup.staff, deposit)
    const [intent] = await readIntents(setup, deposit)
    assert.ok(intent)
    const also = `, ticket = '4711', done_at = now(), lease_until = null, decided_outcome = 'executed', decided_ticket = '4711'`
    const row = { table: 'platform_intents', key: 'intent_id', id: intent.intent_id, also }
    // The program settles a stuck intent, by the word of staff.
    const ofStaff = { ...intentMoves, stuck: ['unknown'] }
    await tryAll(row, Object.keys(intentMoves) as IntentState[], { moves: intentMoves, ofMembers: {}, ofStaff })
  })
})
