import { testTls } from '../tls-tests.ts'
import { login, startBench } from './harness.ts'

testTls('mt5', { start: startBench, account: login })
