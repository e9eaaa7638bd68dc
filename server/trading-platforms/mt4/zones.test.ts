import { login, startBench } from '../../../tests/fixtures/trading/mt4-platform.ts'
import { testZones } from '../zone-tests.ts'

testZones('mt4', async (options) => {
  const { gateway, time, stop } = await startBench(options)
  return { gateway, time, stop, login }
})
