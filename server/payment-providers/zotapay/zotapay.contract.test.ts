import { testProvider } from '../contract-tests.ts'

testProvider({
  uid: 'zotapay',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  declinesForGood: true,
  isCalledAtStart: true,
  simulatorOf: ({ zota }) => zota,
})
