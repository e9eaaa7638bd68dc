import { z } from 'zod'
import { defineCall } from '../call.ts'
import { listCalls } from '../list-calls.ts'
import { deskOpening } from '../members/desk-calls.ts'
import { openingsList } from './desk-list.ts'

const ok = z.object({ status: z.literal('ok') })

export const deskOpeningRow = deskOpening.extend({
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
  account_id: z.uuid().nullable(),
  /** When its platform was last looked through for it, and when staff last asked for that; null: never. */
  looked_at: z.int().nullable(),
  asked_again_at: z.int().nullable(),
})

export const { list: listOpeningsAtDesk, table: exportOpenings } = listCalls(openingsList, {
  path: '/desk/api/openings',
  right: 'members.read',
  row: deskOpeningRow,
  /** What the list can be narrowed to. */
  extra: { platforms: z.array(z.object({ _id: z.uuid(), name: z.string() })) },
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
