import { describe } from 'node:test'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { shareFixture } from '../shared-fixture.ts'
import { payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

describe('zotapay', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)
})
