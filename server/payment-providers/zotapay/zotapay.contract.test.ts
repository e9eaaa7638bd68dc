import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'

testProvider({
  uid: 'zotapay',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  otherMerchant: { endpointId: '999999' },
  signature: {
    fields: ['endpointID', 'orderID', 'merchantOrderID', 'status', 'amount', 'customerEmail'],
    names: { order: 'merchantOrderID', amount: 'amount', currency: 'currency', kind: 'type', reference: 'orderID' },
    proofs: ['signature'],
  },
  declinesForGood: true,
  isAsked: true,
  isCalledAtStart: true,
  simulatorOf: ({ zota }) => zota,
})

testPayouts({
  uid: 'zotapay',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  notices: 'hints',
  simulatorOf: ({ zota }) => zota,
})
