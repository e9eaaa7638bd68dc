import { coinpayments } from './coinpayments/index.ts'
import type { ProviderAdapter } from './contract.ts'
import { neteller } from './neteller/index.ts'
import { nganluong } from './nganluong/index.ts'
import { pictureOf } from './picture.ts'
import { rpnpay } from './rpnpay/index.ts'
import { safecharge } from './safecharge/index.ts'
import { sdsystem } from './sdsystem/index.ts'
import { skrill } from './skrill/index.ts'
import { virtualpay } from './virtualpay/index.ts'
import { zotapay } from './zotapay/index.ts'

/** Every available provider by its id in URLs and `psp:` payment methods. */
const adapters: Readonly<Record<string, ProviderAdapter>> = {
  coinpayments,
  neteller,
  nganluong,
  rpnpay,
  safecharge,
  sdsystem,
  skrill,
  virtualpay,
  zotapay,
}

/** The provider's neutral picture; null for an unknown provider. */
export function logoOf(uid: string): string | null {
  const adapter = findAdapter(uid)
  return adapter && pictureOf(adapter.payWith)
}

/** The logo that members see: the workspace's own, or the provider's neutral picture. */
export const shownLogoOf = ({ app_uid, logo_url }: { app_uid: string; logo_url: string | null }): string | null =>
  logo_url ?? logoOf(app_uid)

export const findAdapter = (uid: string): ProviderAdapter | null =>
  Object.hasOwn(adapters, uid) ? (adapters[uid] ?? null) : null

/** The workspace's title for the provider, or the provider's own name. */
export const nameOfProvider = ({ title = null, app_uid }: { title?: string | null; app_uid: string }): string =>
  title ?? findAdapter(app_uid)?.name ?? app_uid

export const listAdapters = (): [uid: string, adapter: ProviderAdapter][] => Object.entries(adapters)
