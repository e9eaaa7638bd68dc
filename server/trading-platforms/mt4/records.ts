import { z } from 'zod'

/** The parts of the bridge's answers that are read here. Complete: docs/operators/platforms/mt4-bridge.openapi.yaml. */
const decimal = z.string().regex(/^-?\d{1,15}(\.\d{1,12})?$/)
const number = z.string().regex(/^[1-9]\d{0,9}$/)
const utc = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .transform((text, context) => {
    const seconds = Date.parse(text) / 1000
    if (Number.isInteger(seconds)) return seconds
    context.addIssue({ code: 'custom', message: 'no such moment' })
    return z.NEVER
  })

export const healthRecord = z.object({ connected: z.boolean() })

export const timeRecord = z.object({
  utc,
  utc_offset_seconds: z.number().int().min(-50_400).max(50_400),
})

export const capabilitiesRecord = z.object({
  password_policy: z.object({
    min: z.number().int().min(1),
    max: z.number().int().max(15),
    classes: z.enum(['two-of-three', 'lower+upper+digit+special']),
    forbidden: z.string(),
  }),
  investor_password_required: z.boolean(),
  comment_chars: z.number().int().min(17),
  account_comment_chars: z.number().int().min(17),
  amount_max: decimal,
  leverage: z.object({ min: z.number().int().min(1), max: z.number().int() }),
})

export const groupRecord = z.object({
  name: z.string().min(1),
  currency: z.string().min(3),
  currency_digits: z.number().int().min(0).max(8),
  default_leverage: z.number().int().nullable(),
  min_password_length: z.number().int().nullable(),
})
export type GroupRecord = z.output<typeof groupRecord>

const shown = z.string().optional()

export const accountRecord = z.object({
  login: number,
  group: z.string(),
  currency: z.string().min(3),
  currency_digits: z.number().int().min(0).max(8),
  leverage: z.number().int(),
  enable: z.boolean(),
  enable_change_password: z.boolean(),
  enable_read_only: z.boolean(),
  name: z.string(),
  email: z.string(),
  /** Missing in answers of an older bridge. */
  ...{ phone: shown, country: shown, city: shown, state: shown, zip: shown, address: shown },
  comment: z.string(),
  registered_at: utc,
  balance: decimal,
  credit: decimal,
  equity: decimal.nullable(),
  floating: decimal.nullable(),
  margin: decimal.nullable(),
  margin_free: decimal.nullable(),
  margin_level: decimal.nullable(),
})
export type AccountRecord = z.output<typeof accountRecord>

export const balanceRecord = z.object({ order: number, amount: decimal, comment: z.string(), at: utc })
export const bookedRecord = z.object({ order: number })
export const passwordVerdict = z.object({ valid: z.boolean() })

export const tradeRecord = z.object({
  order: number,
  login: number,
  symbol: z.string(),
  cmd: z.number().int().min(0).max(7),
  volume: z.number().int().min(0),
  state: z.number().int().min(0).max(255),
  reason: z.number().int(),
  open_time: utc,
  open_price: decimal,
  sl: decimal,
  tp: decimal,
  close_time: utc.nullable(),
  close_price: decimal,
  commission: decimal,
  storage: decimal,
  profit: decimal,
  taxes: decimal,
  comment: z.string(),
})
export type TradeRecord = z.output<typeof tradeRecord>
