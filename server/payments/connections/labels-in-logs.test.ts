// spec: OP operation
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import {
  openPaymentFixture,
  type PaymentFixture,
  readOrder,
  startBody,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { addProvider } from '../../../tests/fixtures/payments/payment-providers.ts'
import {
  debitPayout,
  latestPayout,
  openPayee,
  openTo,
  processLatest,
} from '../../../tests/fixtures/payments/payouts.ts'
import { chooseSettings } from '../../../tests/fixtures/workspaces.ts'
import { reading } from '../../foundation/database/database.ts'
import { describeProblem } from '../../observability/log.ts'
import { PaymentProblem } from '../../payment-providers/contract.ts'
import { askProvider } from '../reconciliation.ts'
import { startDeposit } from '../start-deposit.ts'

/** An error text in which the provider names a person. */
const email = 'somebody.else@example.com'
const words = `the wallet of ${email} is busy`

const logLines: string[] = []
let setup: PaymentFixture
before(async () => {
  setup = await openPaymentFixture({ logLines })
  // 5031: the outcome is unknown and must be queried.
  const error = { error: { code: '5031', message: words } }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  setup.beside.push({ stop: async () => void server.close() })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const secrets = { username: 'ours', password: 'neteller-secret-0001', webhookKey: 'neteller-hook-0001' }
  await addProvider(setup.system, 'neteller', { ...secrets, baseUrl })
  await chooseSettings(setup, { withdrawal_four_eyes: false, withdrawal_rules: [openTo('neteller')] })
})
after(() => setup.close())

const said = () => logLines.map((line) => (JSON.parse(line) as { msg: string }).msg)

describe('a provider’s error text', () => {
  test('is shown at the desk and never logged for a payout that is sent and queried', async () => {
    const payee = await openPayee(setup, 'neteller', { balance: '100000.00' })
    const id = await debitPayout(setup, 'neteller', payee)
    assert.equal(await processLatest(setup, id), 'checking')
    await processLatest(setup, id)
    assert.match(String((await latestPayout(setup, id)).problem), new RegExp(email))
    assert.ok(said().includes('payout failed') && said().includes('payout status not queried'), said().join())
    assert.ok(!logLines.join('').includes(email))
  })

  test('is neither shown nor logged for a deposit that is started and queried', async () => {
    await assert.rejects(startDeposit(setup.member, await startBody(setup, { payment_method: 'neteller' })))
    const [order] = await ordersOf()
    assert.ok(order)
    await askProvider(setup.system, order)
    // The member's status page shows the stored problem.
    assert.equal((await readOrder(setup, order)).problem, null)
    assert.ok(said().includes('payment start failed') && said().includes('order status not queried'), said().join())
    assert.ok(!logLines.join('').includes(email))
  })

  test('is never logged with any other problem', () => {
    const problem = new PaymentProblem('misconfigured', words)
    assert.equal(problem.detail, words)
    assert.ok(!JSON.stringify(describeProblem(problem)).includes(email))
  })
})

async function ordersOf(): Promise<string[]> {
  const rows = await reading(setup.system, (tx) =>
    tx.selectFrom('deposit_orders').select('order_id').where('workspace_id', '=', setup.system.workspaceId).execute(),
  )
  return rows.map(({ order_id }) => order_id)
}
