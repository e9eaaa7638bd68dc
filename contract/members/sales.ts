import { z } from 'zod'
import { defineCall } from '../call.ts'
import { filterFields, numberFields } from '../list-calls.ts'
import { clientStatuses, clientsList } from './clients-list.ts'

/** The data of a client that a sales person sees: no money and no contact data. */
export const referredClient = z.object({
  _id: z.uuid(),
  name: z.string(),
  customer_number: z.string(),
  status: z.enum(clientStatuses),
  live_count: z.int(),
  demo_count: z.int(),
})

const filter = z.object(filterFields(clientsList))

/** The clients that the signed-in sales person referred. */
export const listClients = defineCall({
  method: 'GET',
  path: '/members/sales/clients',
  access: 'member',
  input: filter.extend(numberFields),
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
