import { startVirtualpaySimulator } from '../../../simulators/virtualpay/simulator.ts'
import { addBeside } from '../../testing/payment-floor.ts'
import { testProvider } from '../contract-tests.ts'

testProvider({
  uid: 'virtualpay',
  words: { paid: 'approved', declined: 'declined', pending: 'pending' },
  otherMerchant: { merchantId: 'VP-OTHER' },
  declinesForGood: true,
  isCalledAtStart: false,
  cannotBeAsked: true,
  simulatorOf: (floor) =>
    addBeside(floor, 'virtualpay', startVirtualpaySimulator({ merchantId: 'VPMID1', secretKey: 'virtual-secret-1' })),
})
