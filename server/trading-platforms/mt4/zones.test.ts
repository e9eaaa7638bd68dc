import { testZones } from '../zone-tests.ts'
import { login, startBench } from './harness.ts'

testZones('mt4', async (options) => {
  const { gateway, time, stop } = await startBench(options)
  return { gateway, time, stop, login }
})
