import { startCoinpaymentsSimulator } from '../../../simulators/coinpayments/simulator.ts'
import { addBeside, coinsMerchant } from '../../testing/payment-floor.ts'
import { testProvider } from '../contract-tests.ts'

testProvider({
  uid: 'coinpayments',
  words: { paid: '100', declined: '-1', pending: '1' },
  returned: { status: '-2' },
  otherMerchant: { merchantId: 'another' },
  declinesForGood: true,
  isCalledAtStart: true,
  form: { crypto_currency: 'LTCT' },
  simulatorOf: (floor) => addBeside(floor, 'coinpayments', startCoinpaymentsSimulator(coinsMerchant)),
})
