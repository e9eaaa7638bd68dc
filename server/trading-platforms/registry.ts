import type { z } from 'zod'
import type { Pauses } from '../foundation/circuit.ts'
import { realTime } from '../foundation/timer.ts'
import { traceCalls } from '../observability/tracing.ts'
import { type GuardedGateway, withBreaker } from './breaker.ts'
import type { PlatformKind, TradingGateway } from './contract.ts'
import { type Dependencies, silentLog } from './dependencies.ts'
import { connectMt4 } from './mt4/index.ts'
import { mt4Settings } from './mt4/settings.ts'
import { connectMt5 } from './mt5/index.ts'
import { mt5Settings } from './mt5/settings.ts'

type Adapter = {
  settings: z.ZodType<{ backOff: Pauses }>
  /** Parses the settings and connects lazily: nothing is sent before the first call. */
  connect(settings: unknown, dependencies: Dependencies): TradingGateway
}

const adapters: Readonly<Record<PlatformKind, Adapter>> = {
  mt4: {
    settings: mt4Settings,
    connect: (settings, dependencies) => connectMt4(mt4Settings.parse(settings), dependencies),
  },
  mt5: {
    settings: mt5Settings,
    connect: (settings, dependencies) => connectMt5(mt5Settings.parse(settings), dependencies),
  },
}

export function platformSettings(kind: PlatformKind): z.ZodType {
  return adapters[kind].settings
}

/** Throws a `ZodError` for malformed settings. The caller owns the gateway and closes it. */
export function connectPlatform(
  kind: PlatformKind,
  settings: unknown,
  dependencies: Partial<Dependencies> = {},
): TradingGateway {
  return adapters[kind].connect(settings, { time: realTime, log: silentLog, ...dependencies })
}

/** Like `connectPlatform`, with a circuit breaker. */
export function connectGuarded(
  kind: PlatformKind,
  settings: unknown,
  dependencies: Partial<Dependencies> = {},
): GuardedGateway {
  const around = { time: realTime, log: silentLog, ...dependencies }
  const adapter = adapters[kind]
  const { backOff: pauses } = adapter.settings.parse(settings)
  return withBreaker(traceCalls('platform', adapter.connect(settings, around)), { pauses }, around)
}
