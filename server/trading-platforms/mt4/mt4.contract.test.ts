import { testPlatform } from '../contract-tests.ts'
import { startMt4Harness } from './harness.ts'

testPlatform('mt4', startMt4Harness)
