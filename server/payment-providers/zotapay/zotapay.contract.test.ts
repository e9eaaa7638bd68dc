import { describe } from 'node:test'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { testProvider } from '../contract-tests.ts'
import { testPayouts } from '../payout-contract-tests.ts'
import { payoutsUnderTest, simulatorOf, underTest } from './under-test.ts'

describe('zotapay', () => {
  const shared = shareFixture(simulatorOf)
  testProvider(underTest, shared)
  testPayouts(payoutsUnderTest, shared)
})
