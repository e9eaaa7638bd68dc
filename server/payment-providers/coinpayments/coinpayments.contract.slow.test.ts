import { describe } from 'node:test'
import { shareFixture } from '../../../tests/fixtures/shared-fixture.ts'
import { testProviderAtLength } from '../contract-tests.ts'
import { simulatorOf, underTest } from './under-test.ts'

describe('coinpayments: slow contract tests', () => {
  testProviderAtLength(underTest, shareFixture(simulatorOf))
})
