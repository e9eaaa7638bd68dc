// spec: MP 2.5
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Caller } from '../../../tests/fixtures/caller.ts'
import {
  openPayer,
  openPaymentFixture,
  type PaymentFixture,
  startBody,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { addAccount } from '../../../tests/fixtures/trading/platforms.ts'
import { addMember, memberActor } from '../../../tests/fixtures/workspaces.ts'
import { dailyOrdersMax, startDeposit } from '../start-deposit.ts'

let setup: PaymentFixture
let caller: Caller
let token: string
before(async () => {
  setup = await openPaymentFixture()
  ;({ caller, token } = await openPayer(setup))
})
after(() => setup.close())

const path = '/customers/trading-accounts/start-deposit'

it('one member starts so many orders in a day, also at the same time, and others are not affected', async () => {
  const first = await startBody(setup, { payment_method: 'safecharge' })
  assert.equal((await caller.post(path, first, token)).status, 200)
  for (let count = 3; count < dailyOrdersMax; count++)
    await startDeposit(setup.member, await startBody(setup, { payment_method: 'safecharge' }))
  const bodies = await Promise.all(Array.from({ length: 5 }, () => startBody(setup, { payment_method: 'safecharge' })))
  const answers = await Promise.all(bodies.map((body) => caller.post(path, body, token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 429, 429, 429])
  const refused = answers.find(({ status }) => status === 429)
  assert.deepEqual(
    [refused?.body.code, refused?.body.error],
    ['too_many_requests', 'You have started many payments today. Please try again tomorrow.'],
  )
  assert.equal((await caller.post(path, first, token)).status, 200, 'an order that exists is answered again')

  const { memberId } = await addMember(setup.system, { documents_status: 'approved' })
  const other = {
    member: await memberActor(setup.system, memberId),
    accountId: await addAccount(setup.system, { memberId, platformId: setup.platformId }),
  }
  assert.ok((await startDeposit(other.member, await startBody(other, { payment_method: 'safecharge' }))).order)

  setup.context.clock.advance(24 * 3_600_000)
  assert.ok((await startDeposit(setup.member, await startBody(setup, { payment_method: 'safecharge' }))).order)
})
