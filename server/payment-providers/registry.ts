import { coinpayments } from './coinpayments/index.ts'
import type { ProviderAdapter } from './contract.ts'
import { neteller } from './neteller/index.ts'
import { nganluong } from './nganluong/index.ts'
import { rpnpay } from './rpnpay/index.ts'
import { safecharge } from './safecharge/index.ts'
import { skrill } from './skrill/index.ts'
import { virtualpay } from './virtualpay/index.ts'
import { zotapay } from './zotapay/index.ts'

/** Every provider that a workspace may use, by the name it has in addresses and in `psp:` methods. One line each. */
const adapters: Readonly<Record<string, ProviderAdapter>> = {
  coinpayments,
  neteller,
  nganluong,
  rpnpay,
  safecharge,
  skrill,
  virtualpay,
  zotapay,
}

export const findAdapter = (uid: string): ProviderAdapter | null =>
  Object.hasOwn(adapters, uid) ? (adapters[uid] ?? null) : null

/** As the workspace calls it, or as it is called. */
export const nameOfProvider = ({ title = null, app_uid }: { title?: string | null; app_uid: string }): string =>
  title ?? findAdapter(app_uid)?.name ?? app_uid

export const listAdapters = (): [uid: string, adapter: ProviderAdapter][] => Object.entries(adapters)
