import type { VendorAdapter } from './contract.ts'
import { sumsub } from './sumsub/index.ts'

const adapters: Record<string, VendorAdapter> = { sumsub }

export const vendorNames = Object.keys(adapters)

export function findVendorAdapter(uid: string): VendorAdapter | null {
  return Object.hasOwn(adapters, uid) ? (adapters[uid] ?? null) : null
}
