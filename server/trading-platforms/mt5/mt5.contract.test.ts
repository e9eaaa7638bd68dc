// spec: MP 7, AO 3
import { startMt5Harness } from '../../../tests/fixtures/trading/mt5-platform.ts'
import { testPlatform } from '../contract-tests.ts'

testPlatform('mt5', startMt5Harness)
