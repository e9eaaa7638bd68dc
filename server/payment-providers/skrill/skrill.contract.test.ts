import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type SkrillSimulator, startSkrillSimulator } from '../../../simulators/skrill/simulator.ts'
import {
  addBeside,
  listNotifications,
  openPaymentFloor,
  type PaymentFloor,
  readNotifications,
  readOrder,
  startOrder,
} from '../../testing/payment-floor.ts'
import { testProvider } from '../contract-tests.ts'

const merchant = {
  payToEmail: 'merchant@example.com',
  merchantId: '100005',
  secretWord: 'harbour1',
  apiPassword: 'skrill-password-1',
}

testProvider({
  uid: 'skrill',
  words: { paid: '2', declined: '-2', pending: '0' },
  returned: { status: '-3' },
  otherMerchant: { merchantId: '9999999' },
  declinesForGood: true,
  isCalledAtStart: true,
  simulatorOf: (floor) => addBeside(floor, 'skrill', startSkrillSimulator(merchant)),
})

describe('skrill: a merchant account in another currency than the order', () => {
  let floor: PaymentFloor
  let simulator: SkrillSimulator
  before(async () => {
    floor = await openPaymentFloor()
    const options = { ...merchant, accountCurrency: 'EUR', withSha2: true }
    simulator = await addBeside(floor, 'skrill', startSkrillSimulator(options), [
      { currency: 'USD', amount_min: '10', amount_max: '5000' },
    ])
  })
  after(() => floor.close())

  it('asks what was paid, since the signature is not over the amount of the order', async () => {
    const { order, attempt } = await startOrder(floor, { payment_method: 'skrill' })
    simulator.set(attempt, '2')
    await simulator.notify(attempt)
    await readNotifications(floor)
    assert.equal((await readOrder(floor, order)).state, 'paid')
    assert.equal((await listNotifications(floor, order)).at(-1)?.outcome, 'applied')
  })

  it('believes the answer and not the notification', async () => {
    const { order, attempt } = await startOrder(floor, { payment_method: 'skrill' })
    simulator.set(attempt, '0')
    await simulator.notify(attempt, { status: '2' })
    await readNotifications(floor)
    assert.equal((await readOrder(floor, order)).state, 'handed_over')
    assert.equal((await listNotifications(floor, order)).at(-1)?.outcome, 'noted')
  })

  it('leaves it unread while nobody answers, and comes back to it', async () => {
    const { order, attempt } = await startOrder(floor, { payment_method: 'skrill' })
    simulator.set(attempt, '2')
    await simulator.notify(attempt)
    simulator.breakDown({ isDown: true })
    await assert.rejects(readNotifications(floor))
    assert.equal((await readOrder(floor, order)).state, 'handed_over')
    simulator.mend()
    await readNotifications(floor)
    assert.equal((await readOrder(floor, order)).state, 'paid')
  })
})
