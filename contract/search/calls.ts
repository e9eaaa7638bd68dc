import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { searchText } from '../validators/identifier.ts'

/** Groups of server search results. The portal itself searches its pages. */
export const searchGroups = ['accounts', 'transactions', 'tickets', 'requests'] as const
export type SearchGroup = (typeof searchGroups)[number]

const hit = z.object({
  _id: z.uuid(),
  /** The searched identifier: a login or a ticket. */
  title: z.string(),
  /** Details that distinguish hits: platform, currency, day. */
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
