import { testTls } from '../tls-tests.ts'
import { login, startBench } from './harness.ts'

testTls('mt4', { start: startBench, account: login })
