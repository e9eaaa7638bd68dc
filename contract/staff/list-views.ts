import { z } from 'zod'
import { accountsList, differencesList } from '../account-sync/desk-list.ts'
import { auditList } from '../audit-log/desk-list.ts'
import { defineCall } from '../call.ts'
import { documentsList } from '../documents/desk-list.ts'
import { submissionsList } from '../forms/submissions-list.ts'
import { depositsList, withdrawalsList } from '../funding/desk-lists.ts'
import { limits } from '../limits.ts'
import { membersList } from '../members/desk-list.ts'
import { mailsList } from '../notifications/dead-letters-list.ts'
import { openingsList } from '../openings/desk-list.ts'
import { casesList, webhookEventsList } from '../payments/desk-lists.ts'
import { requestsList } from '../requests/desk-list.ts'
import { acceptancesList } from '../terms/acceptances-list.ts'
import { ticketsList } from '../tickets/desk-list.ts'
import { plainLine } from '../validators/plain-line.ts'

const ok = z.object({ status: z.literal('ok') })
/** The lists whose views can be saved. */
export const viewedLists = [
  accountsList,
  differencesList,
  membersList,
  mailsList,
  openingsList,
  requestsList,
  auditList,
  ticketsList,
  depositsList,
  withdrawalsList,
  documentsList,
  casesList,
  webhookEventsList,
  acceptancesList,
  submissionsList,
] as const
const list = z.enum(viewedLists.map(({ name }) => name))
/** Of a filter or a column. */
const key = z.string().regex(/^[a-z_]{1,40}$/)

/** A staff user's view of a list: named filters and hidden columns. */
const view = z.object({
  saved: z
    .array(
      z.object({
        name: plainLine(limits.nameCharsMax),
        search: z
          .record(key, plainLine(limits.nameCharsMax))
          .refine((said) => Object.keys(said).length <= limits.savedFiltersMax),
      }),
    )
    .max(limits.savedFiltersMax),
  hidden: z.array(key).max(limits.listEntriesMax),
})
export type ListView = z.output<typeof view>

/** The parts to save. */
export type ListViewChange = { [Part in keyof ListView]?: ListView[Part] | undefined }
export type ViewedList = (typeof viewedLists)[number]['name']

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
