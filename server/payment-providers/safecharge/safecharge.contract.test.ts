import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'

testProvider({
  uid: 'safecharge',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  returned: { status: 'APPROVED', type: 'Credit' },
  otherMerchant: { merchantId: '1999999999' },
  declinesForGood: false,
  isCalledAtStart: false,
  simulatorOf: ({ safecharge }) => safecharge,
})

testPayouts({
  uid: 'safecharge',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  notices: 'hints',
  simulatorOf: ({ safecharge }) => safecharge,
})
