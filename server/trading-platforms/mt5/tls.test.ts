import { login, startBench } from '../../../tests/fixtures/mt5-platform.ts'
import { testTls } from '../tls-tests.ts'

testTls('mt5', { start: startBench, account: login })
