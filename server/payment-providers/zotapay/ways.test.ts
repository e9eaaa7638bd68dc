// spec: AO 9

/** Zota has an endpoint per payment method and currency: the member's choice selects the endpoint. */

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

describe('Zota payment methods', () => {
  it('are the endpoints of the currency in configured order', async () => {
    const { status, body } = await waysIn('CNY')
    assert.equal(status, 200)
    assert.deepEqual(body.ways, [
      { code: 'alipay', name: 'Alipay' },
      { code: 'wechat', name: 'WeChat Pay' },
    ])
    assert.deepEqual((await waysIn('USD')).body.ways, [{ code: 'local_cards', name: 'Bank card' }])
    // A payout endpoint is not a payment method.
    assert.deepEqual((await waysIn('GBP')).body.ways, [])
  })

  it('are empty for a provider with a single method, and an unknown provider is refused', async () => {
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

  it('default to the first when the member chooses none, and the answer names it', async () => {
    const { attempt, way } = await startOrder(setup)
    assert.deepEqual([endpointOf(attempt), way], ['402341', 'alipay'])
  })

  for (const way of ['local_cards', 'sd_payout', 'cup', '402342'])
    it(`refuses ${way}, which does not accept this currency`, async () => {
      assert.deepEqual(await refusalOf({ payment_way: way }), { payment_way: [paymentTexts.wayNotOffered] })
    })

  it('need no choice where there is only one', async () => {
    const { memberId } = setup.member
    const accountId = await addAccount(setup.system, { memberId, platformId: setup.platformId, currency: 'USD' })
    const { attempt } = await startOrder({ ...setup, accountId })
    assert.equal(endpointOf(attempt), '402334')
  })
})

describe('the endpoint list', () => {
  const isTaken = (endpoints: string) => zotapay.fields.endpoints?.schema.safeParse(endpoints).success

  it('accepts each method once per currency', () => {
    assert.equal(isTaken('local_cards USD 1\nlocal_cards EUR 2\nsd_payout USD 3'), true)
    assert.equal(isTaken('local_cards USD 1\nlocal_cards USD 2'), false)
  })

  it('accepts only the known methods of Zota', () => {
    for (const type of ['local_cards', 'cup', 'alipay', 'wechat', 'mobile', 'sd_payout'])
      assert.equal(isTaken(`${type} CNY 1`), true, type)
    assert.equal(isTaken('cash CNY 1'), false)
  })
})
