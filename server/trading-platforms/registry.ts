import type { z } from 'zod'
import type { PlatformKind, TradingGateway } from './contract.ts'
import { connectMt5 } from './mt5/index.ts'
import { mt5Settings } from './mt5/settings.ts'
import { realTime, type Surroundings, silentLog } from './surroundings.ts'

type Adapter = {
  settings: z.ZodType
  /** Parses the settings and connects lazily: nothing is sent before the first call. */
  connect(settings: unknown, surroundings: Surroundings): TradingGateway
}

const adapters: Partial<Record<PlatformKind, Adapter>> = {
  mt5: {
    settings: mt5Settings,
    connect: (settings, surroundings) => connectMt5(mt5Settings.parse(settings), surroundings),
  },
}

export function platformSettings(kind: PlatformKind): z.ZodType | undefined {
  return adapters[kind]?.settings
}

/** Throws a `ZodError` for settings of the wrong shape. The caller keeps the gateway, and closes it. */
export function connectPlatform(
  kind: PlatformKind,
  settings: unknown,
  surroundings: Partial<Surroundings> = {},
): TradingGateway {
  const adapter = adapters[kind]
  if (adapter === undefined) throw new Error(`There is no adapter for trading platforms of the kind ${kind}`)
  return adapter.connect(settings, { time: realTime, log: silentLog, ...surroundings })
}
