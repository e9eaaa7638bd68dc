import { testProvider } from '../contract-tests.ts'

testProvider({
  uid: 'safecharge',
  words: { paid: 'APPROVED', declined: 'DECLINED', pending: 'PENDING' },
  declinesForGood: false,
  isCalledAtStart: false,
  simulatorOf: ({ safecharge }) => safecharge,
})
