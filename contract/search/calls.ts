import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { searchText } from '../validators/identifier.ts'

/** What the server finds by words. Pages are found by the portal itself; each kind of thing here is a group there. */
export const searchGroups = ['accounts', 'transactions', 'tickets', 'requests'] as const
export type SearchGroup = (typeof searchGroups)[number]

const hit = z.object({
  _id: z.uuid(),
  /** What somebody looks for: a login, a ticket. */
  title: z.string(),
  /** What tells it from the others: platform, currency, day. */
  facts: z.array(z.string()),
})
export type SearchHit = z.output<typeof hit>

export const search = defineCall({
  method: 'GET',
  path: '/members/search',
  access: 'member',
  input: z.object({ q: searchText().min(1).max(limits.searchCharsMax) }),
  answer: z.object({
    status: z.literal('ok'),
    groups: z.array(z.object({ name: z.enum(searchGroups), hits: z.array(hit) })),
  }),
})
