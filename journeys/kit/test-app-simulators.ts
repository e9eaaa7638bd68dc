import { demoBridgeToken, demoManager, demoTimeZone, type Simulators } from '../../demo/simulators.ts'
import { connectMt4Control } from '../../simulators/mt4/control-client.ts'
import { type Mt4Simulator, startMt4Simulator } from '../../simulators/mt4/simulator.ts'
import { connectMt5Control } from '../../simulators/mt5/control-client.ts'
import { type Mt5Simulator, startMt5Simulator } from '../../simulators/mt5/simulator.ts'
import { startPaymentSimulators } from '../../simulators/payments/start-simulators.ts'

export type TestAppSimulators = {
  mt5: Mt5Simulator
  mt4: Mt4Simulator
  payments: Awaited<ReturnType<typeof startPaymentSimulators>>
  /** The same simulators in the shape that the demo brokerage takes. */
  asOfDemo: Simulators
  stop(): Promise<void>
}

export type SimulatorOptions = {
  movingPrices?: boolean
  /** Coin deposits arrive automatically after this delay, as in the demo. */
  coinsAfterMs?: number
}

/** The platforms and payment providers of one brokerage, in this process. */
export async function startTestAppSimulators({
  movingPrices = false,
  coinsAfterMs,
}: SimulatorOptions): Promise<TestAppSimulators> {
  const usual = { port: 0, stateFile: ':memory:', timeZone: demoTimeZone, movingPrices }
  const [mt5, mt4, payments] = await Promise.all([
    startMt5Simulator({ ...usual, managers: [demoManager] }),
    startMt4Simulator({ ...usual, token: demoBridgeToken }),
    startPaymentSimulators(coinsAfterMs === undefined ? {} : { coinsAfterMs }),
  ])
  const stop = async (): Promise<void> => {
    await Promise.all([mt5.stop(), mt4.stop(), payments.stop()])
  }
  const asOfDemo = {
    mt5Url: mt5.url,
    mt5: connectMt5Control(mt5.controlUrl),
    mt4Url: mt4.url,
    mt4: connectMt4Control(mt4.controlUrl),
    payments: payments.settings,
    stop,
  }
  return { mt5, mt4, payments, asOfDemo, stop }
}
