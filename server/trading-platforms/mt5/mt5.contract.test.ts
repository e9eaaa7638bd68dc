import { testPlatform } from '../contract-tests.ts'
import { startMt5Harness } from './harness.ts'

testPlatform('mt5', startMt5Harness)
