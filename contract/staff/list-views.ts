import { z } from 'zod'
import { defineCall } from '../call.ts'
import { limits } from '../limits.ts'
import { singleLine } from '../validators/single-line.ts'

const ok = z.object({ status: z.literal('ok') })
/** The name of a list; the server knows which ones there are. */
const list = z.string().regex(/^[a-z-]{1,40}$/)
/** Of a filter or a column. */
const key = z.string().regex(/^[a-z_]{1,40}$/)

/** A staff user's view of a list: named filters and hidden columns. */
const view = z.object({
  saved: z
    .array(
      z.object({
        name: singleLine(limits.nameCharsMax),
        search: z
          .record(key, singleLine(limits.nameCharsMax))
          .refine((said) => Object.keys(said).length <= limits.savedFiltersMax),
      }),
    )
    .max(limits.savedFiltersMax),
  hidden: z.array(key).max(limits.listEntriesMax),
})
export type ListView = z.output<typeof view>

/** The parts to save. */
export type ListViewChange = { [Part in keyof ListView]?: ListView[Part] | undefined }

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
  /** Absent parts stay unchanged. */
  input: view.partial().extend({ list }),
  answer: ok.extend(view.shape),
})
