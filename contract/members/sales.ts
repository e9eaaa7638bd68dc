import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { searchText } from '../validators/identifier.ts'

export const clientStatuses = ['active', 'invited', 'locked'] as const

/** The data of a client that a sales person sees: no money and no contact data. */
export const referredClient = z.object({
  _id: z.uuid(),
  name: z.string(),
  customer_number: z.string(),
  status: z.enum(clientStatuses),
  live_count: z.int(),
  demo_count: z.int(),
})

export const clientSorts = ['name', 'customer_number', 'status', 'live_count', 'demo_count'] as const
export type ClientSort = (typeof clientSorts)[number]

const filter = z.object({
  /** A part of the name, or the number. */
  q: searchText().max(100).optional(),
  status: z.enum(clientStatuses).optional(),
  sort: z.enum(clientSorts).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
})

/** The clients that the signed-in sales person referred. */
export const listClients = defineCall({
  method: 'GET',
  path: '/members/sales/clients',
  access: 'member',
  input: filter.extend({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(limits.clientsPageSize),
  }),
  answer: z.object({ status: z.literal('ok'), clients: z.array(referredClient), total: z.int() }),
})

/** The same list as CSV, with at most `clientsExportMax` rows. */
export const exportClients = defineCall({
  method: 'GET',
  path: '/members/sales/clients/export',
  access: 'member',
  input: filter,
  answer: z.object({ status: z.literal('ok'), file_name: z.string(), csv: z.string(), is_cut: z.boolean() }),
})
