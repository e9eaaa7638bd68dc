import { login, startBench } from '../../../tests/fixtures/trading/mt4-platform.ts'
import { testTls } from '../tls-tests.ts'

testTls('mt4', { start: startBench, account: login })
