import { z } from 'zod'

const shape = z.object({
  crypto_currency: z.string(),
  checkout_url: z.string().nullable(),
  address: z.string(),
  dest_tag: z.string().nullable(),
  amount: z.string(),
  network: z.string().nullable(),
  expires_at: z.number(),
  seen_at: z.number().nullable(),
})

/** Amount, address and expiry of a coin payment: the `data` of a pending deposit. Moments are milliseconds. */
export type CoinPayment = z.output<typeof shape>

export function coinPaymentOf(data: string | null | undefined): CoinPayment | null {
  try {
    const read = shape.safeParse(JSON.parse(data ?? 'null'))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
