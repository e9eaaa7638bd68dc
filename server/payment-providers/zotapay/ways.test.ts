// spec: AO 9
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { type Caller, callerOf } from '../../../tests/fixtures/caller.ts'
import {
  openPaymentFixture,
  type PaymentFixture,
  type StartBody,
  startBody,
  startOrder,
  withAccountIn,
} from '../../../tests/fixtures/payments/payment-fixture.ts'
import { offerCurrency } from '../../../tests/fixtures/payments/payment-providers.ts'
import { addAccount } from '../../../tests/fixtures/trading/platforms.ts'
import { openTestSession } from '../../../tests/fixtures/workspaces.ts'
import { Refusal } from '../../foundation/errors.ts'
import { startDeposit } from '../../payments/start-deposit.ts'
import { zotapay } from './index.ts'

/** Zota has an endpoint for each way to pay in each currency: the member's choice decides which one is asked. */
let setup: PaymentFixture
let caller: Caller
let token: string
before(async () => {
  setup = await withAccountIn(await openPaymentFixture(), 'CNY')
  await offerCurrency(setup.system, 'zotapay', 'CNY')
  caller = callerOf(setup.app)
  token = (await openTestSession(setup.system, { kind: 'member', id: setup.member.memberId })).token
})
after(() => setup.close())

const endpointOf = (attempt: string) => setup.zota.orders.get(attempt)?.more.endpoint
const waysIn = (currency: string, method = 'zotapay') =>
  caller.get(`/members/deposits/ways?payment_method=${method}&currency=${currency}`, token)
const refusalOf = async (given: Partial<StartBody>) => {
  try {
    await startDeposit(setup.member, await startBody(setup, given))
    return null
  } catch (problem) {
    assert.ok(problem instanceof Refusal)
    return problem.details.errors
  }
}

describe('the ways to pay through Zota', () => {
  it('are the endpoints of the currency, in the order in which they were written down', async () => {
    const { status, body } = await waysIn('CNY')
    assert.equal(status, 200)
    assert.deepEqual(body.ways, [
      { code: 'alipay', name: 'Alipay' },
      { code: 'wechat', name: 'WeChat Pay' },
    ])
    assert.deepEqual((await waysIn('USD')).body.ways, [{ code: 'local_cards', name: 'Bank card' }])
    // What pays out is no way to pay.
    assert.deepEqual((await waysIn('GBP')).body.ways, [])
  })

  it('are none where a provider has but one, and unknown where there is no such provider', async () => {
    assert.deepEqual((await waysIn('USD', 'safecharge')).body.ways, [])
    assert.equal((await waysIn('USD', 'nobody')).status, 422)
  })

  for (const [way, endpoint] of [
    ['alipay', '402341'],
    ['wechat', '402342'],
  ] as const)
    it(`sends ${way} to its own endpoint`, async () => {
      const { attempt } = await startOrder(setup, { payment_way: way })
      assert.equal(endpointOf(attempt), endpoint)
    })

  it('is the first where there are several and none is chosen, and the answer says so', async () => {
    const { attempt, way } = await startOrder(setup)
    assert.deepEqual([endpointOf(attempt), way], ['402341', 'alipay'])
  })

  for (const way of ['local_cards', 'sd_payout', 'cup', '402342'])
    it(`refuses ${way}, which does not take this currency`, async () => {
      assert.deepEqual(await refusalOf({ payment_way: way }), { payment_way: [paymentTexts.wayNotOffered] })
    })

  it('need not be chosen where there is one', async () => {
    const { memberId } = setup.member
    const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId, currency: 'USD' })
    const { attempt } = await startOrder({ ...setup, accountId })
    assert.equal(endpointOf(attempt), '402334')
  })
})

describe('the list of endpoints', () => {
  const isTaken = (endpoints: string) => zotapay.fields.endpoints?.schema.safeParse(endpoints).success

  it('takes a type once for a currency', () => {
    assert.equal(isTaken('local_cards USD 1\nlocal_cards EUR 2\nsd_payout USD 3'), true)
    assert.equal(isTaken('local_cards USD 1\nlocal_cards USD 2'), false)
  })

  it('knows the types of Zota and no others', () => {
    for (const type of ['local_cards', 'cup', 'alipay', 'wechat', 'mobile', 'sd_payout'])
      assert.equal(isTaken(`${type} CNY 1`), true, type)
    assert.equal(isTaken('cash CNY 1'), false)
  })
})
