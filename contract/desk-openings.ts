import { z } from 'zod'
import { defineCall } from './call.ts'
import { deskOpening, pageMark } from './desk-members.ts'
import { limits } from './limits.ts'
import { accountKinds, openingStates } from './opening-states.ts'
import { searchText } from './validators/identifier.ts'

const ok = z.object({ status: z.literal('ok') })

/** Which openings are meant: the list, its number and its table go by the same filters. */
const openingFilters = {
  /** Of a member: beginnings of names, emails, customer numbers and logins; several words must all be found. */
  q: searchText().max(100).optional(),
  state: z.enum(openingStates).optional(),
  kind: z.enum(accountKinds).optional(),
  platform: z.uuid().optional(),
}

export const deskOpeningRow = deskOpening.extend({
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
  account_id: z.uuid().nullable(),
  /** When its platform was last looked through for it, and when staff last asked for that; null: never. */
  looked_at: z.int().nullable(),
  asked_again_at: z.int().nullable(),
})

export const listOpeningsAtDesk = defineCall({
  method: 'GET',
  path: '/desk/api/openings',
  access: 'staff',
  right: 'members.read',
  input: z.object({
    ...openingFilters,
    after: pageMark.optional(),
    before: pageMark.optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(25),
  }),
  answer: ok.extend({
    openings: z.array(deskOpeningRow),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    /** Counted no further than `limits.countedMax`. */
    total: z.int(),
    /** What the list can be narrowed to. */
    platforms: z.array(z.object({ _id: z.uuid(), name: z.string() })),
  }),
})

/** A table for a spreadsheet, written out while it is read. */
export const exportOpenings = defineCall({
  method: 'GET',
  path: '/desk/api/openings/table',
  access: 'staff',
  right: 'members.read',
  input: z.object(openingFilters),
  answer: ok,
})

/** Looks for the account now, where nobody knows of one. Nothing is sent to open another. */
export const lookForOpening = defineCall({
  method: 'POST',
  path: '/desk/api/openings/:id/look-again',
  access: 'staff',
  right: 'money.decide',
  decides: ['account-opening.retry'],
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ opening: deskOpeningRow }),
})
