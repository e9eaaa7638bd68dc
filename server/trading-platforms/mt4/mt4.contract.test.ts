// spec: MP 7, AO 3
import { startMt4Harness } from '../../../tests/fixtures/trading/mt4-platform.ts'
import { testPlatform } from '../contract-tests.ts'

testPlatform('mt4', startMt4Harness)
