import { z } from 'zod'
import { defineCall } from './call.ts'
import { limits } from './limits.ts'
import { plainLine } from './staff/lists.ts'

const ok = z.object({ status: z.literal('ok') })
const list = z.string().regex(/^[a-z-]{1,40}$/)
/** Of a filter or a column. */
const key = z.string().regex(/^[a-z_]{1,40}$/)

/** How somebody of the staff looks at a list: filters under names of their own, and the columns that they do without. */
const view = z.object({
  saved: z
    .array(
      z.object({
        name: plainLine(limits.nameCharsMax),
        search: z.record(key, plainLine(limits.nameCharsMax)),
      }),
    )
    .max(limits.savedFiltersMax),
  hidden: z.array(key).max(limits.listEntriesMax),
})
export type ListView = z.output<typeof view>

export const readListView = defineCall({
  method: 'GET',
  path: '/desk/api/account/list-views',
  access: 'staff',
  right: 'desk.use',
  input: z.object({ list }),
  answer: ok.extend(view.shape),
})

export const saveListView = defineCall({
  method: 'POST',
  path: '/desk/api/account/list-views',
  access: 'staff',
  right: 'desk.use',
  input: view.extend({ list }),
  answer: ok.extend(view.shape),
})
