type PaidWith = { own: string; pays: string; named?: string }

/**
 * Means of payment by provider, since members do not know the providers' names; in display order.
 * `named`: the name in a transaction, if it differs.
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
