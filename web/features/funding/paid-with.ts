type PaidWith = { own: string; pays: string; named?: string }

/**
 * What one pays with through a provider, by whose own name nobody looks for it; the order is that of the list. `named`: where a
 * transaction calls it otherwise.
 */
export const paidWith: Record<string, PaidWith> = {
  safecharge: { own: 'SafeCharge', pays: 'Card' },
  zotapay: { own: 'Zota', pays: 'Card or local payment', named: 'Zotapay' },
  virtualpay: { own: 'VirtualPay', pays: 'Card or mobile money' },
  skrill: { own: 'Skrill', pays: 'Skrill wallet' },
  neteller: { own: 'Neteller', pays: 'Neteller wallet' },
  nganluong: { own: 'NganLuong', pays: 'Vietnamese bank or wallet' },
  sdsystem: { own: 'SD System', pays: 'Chinese bank' },
  rpnpay: { own: 'RPN Pay', pays: 'Chinese bank or wallet' },
  coinpayments: { own: 'CoinPayments', pays: 'Cryptocurrency' },
}
