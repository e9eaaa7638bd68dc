import { login, startBench } from '../../../tests/fixtures/trading/mt5-platform.ts'
import { testTls } from '../tls-tests.ts'

testTls('mt5', { start: startBench, account: login })
