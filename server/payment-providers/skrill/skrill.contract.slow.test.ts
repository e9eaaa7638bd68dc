import { describe } from 'node:test'
import { testProviderAtLength } from '../contract-tests.ts'
import { shareFixture } from '../shared-fixture.ts'
import { simulatorOf, underTest } from './under-test.ts'

describe('skrill at length', () => {
  testProviderAtLength(underTest, shareFixture(simulatorOf))
})
