import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { tradeEntries, tradeOrders, tradeSorts } from './calls.ts'

const ok = z.object({ status: z.literal('ok') })
const one = z.object({ id: z.uuid() })
const seconds = z.coerce.number().int().min(0).max(253_370_764_800)

/** The filters of a member's own list (`contract/trades/calls.ts`). */
const filters = {
  id: z.uuid(),
  symbol: z.string().max(64).optional(),
  side: z.enum(['buy', 'sell']).optional(),
  entry: z.enum(tradeEntries).optional(),
  from: seconds.optional(),
  to: seconds.optional(),
}

const text = z.string().nullable()

/** The fields of a member's own list, under the same names. */
export const deskTrade = z.object({
  _id: z.string(),
  order: text,
  cmd: z.string(),
  entry: z.int().nullable(),
  symbol: z.string(),
  /** Hundredths of a lot. */
  volume: z.number(),
  open_price: text,
  close_price: text,
  tp: text,
  sl: text,
  price_tp: text,
  price_sl: text,
  profit: z.string(),
  swap: z.string(),
  commission: z.string(),
  state: z.int(),
  state_label: z.string(),
  /** Epoch seconds, as on the platforms. */
  timestamp: z.int(),
  opened_at: z.int().nullable(),
  comment: text,
  ticket: text,
  deal: text,
})

export const listAccountTrades = defineCall({
  method: 'GET',
  path: '/desk/api/accounts/:id/trades',
  access: 'staff',
  right: 'money.read',
  input: z.object({
    ...filters,
    sort: z.enum(tradeSorts).default('time'),
    order: z.enum(tradeOrders).default('desc'),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.tradesPageSize),
  }),
  answer: ok.extend({
    trades: z.array(deskTrade),
    /** Counted up to the last reachable page. */
    total: z.int(),
    totals: z.object({
      count: z.int(),
      volume: z.number(),
      profit: z.string(),
      swap: z.string(),
      commission: z.string(),
      net: z.string(),
    }),
  }),
})

/** A CSV, newest first, with the filters of the list. */
export const exportAccountTrades = defineCall({
  method: 'GET',
  path: '/desk/api/accounts/:id/trades/table',
  access: 'staff',
  right: 'money.read',
  input: z.object(filters),
  answer: ok,
})

/** How far the history has been read. The call also requests a reading of new deals, as the member's list does. */
export const readAccountHistory = defineCall({
  method: 'GET',
  path: '/desk/api/accounts/:id/trades/history',
  access: 'staff',
  right: 'money.read',
  input: one,
  answer: ok.extend({
    history: z.object({
      read_from: z.int().nullable(),
      read_at: z.int().nullable(),
      is_complete: z.boolean(),
      is_being_read: z.boolean(),
      failing_since: z.int().nullable(),
      symbols: z.array(z.string()),
    }),
  }),
})

export const listAccountPositions = defineCall({
  method: 'GET',
  path: '/desk/api/accounts/:id/positions',
  access: 'staff',
  right: 'money.read',
  input: one,
  answer: ok.extend({
    read_at: z.int().nullable(),
    is_live: z.boolean(),
    profit: z.string(),
    positions: z.array(
      z.object({
        _id: z.string(),
        cmd: z.string(),
        symbol: z.string(),
        volume: z.number(),
        open_price: z.string(),
        current_price: z.string(),
        sl: text,
        tp: text,
        profit: z.string(),
        swap: z.string(),
        timestamp: z.int(),
        comment: z.string(),
      }),
    ),
  }),
})
