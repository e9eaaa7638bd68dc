import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'

testProvider({
  uid: 'zotapay',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  otherMerchant: { endpointId: '999999' },
  declinesForGood: true,
  isCalledAtStart: true,
  simulatorOf: ({ zota }) => zota,
})

testPayouts({
  uid: 'zotapay',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  notices: 'believed',
  simulatorOf: ({ zota }) => zota,
})
