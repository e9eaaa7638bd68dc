import type { ProviderAdapter } from './contract.ts'
import { safecharge } from './safecharge/index.ts'
import { zotapay } from './zotapay/index.ts'

/** Every provider that a workspace may use, by the name it has in addresses and in `psp:` methods. One line each. */
const adapters: Readonly<Record<string, ProviderAdapter>> = {
  safecharge,
  zotapay,
}

export const findAdapter = (uid: string): ProviderAdapter | null =>
  Object.hasOwn(adapters, uid) ? (adapters[uid] ?? null) : null
