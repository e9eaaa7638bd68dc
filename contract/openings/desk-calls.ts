import { z } from 'zod'
import { defineCall } from '../call.ts'
import { listCalls } from '../list-calls.ts'
import { deskOpening } from '../members/desk-calls.ts'
import { deskReason } from '../staff/reason.ts'
import { openingsList } from './desk-list.ts'

const ok = z.object({ status: z.literal('ok') })

export const deskOpeningRow = deskOpening.extend({
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }),
  account_id: z.uuid().nullable(),
  /** The last look-up on the platform, and the last one that staff requested; null if none. */
  looked_at: z.int().nullable(),
  asked_again_at: z.int().nullable(),
})

export const deskOpeningCalls = listCalls(openingsList, {
  path: '/desk/api/openings',
  right: 'members.read',
  row: deskOpeningRow,
  /** Filter options of the list. */
  extra: { platforms: z.array(z.object({ _id: z.uuid(), name: z.string() })) },
})

/** Looks up an account with unknown outcome now, without sending another opening. */
export const lookUpOpeningAgain = defineCall({
  method: 'POST',
  path: '/desk/api/openings/:id/look-again',
  access: 'staff',
  right: 'money.decide',
  decides: ['account-opening.retry'],
  input: z.object({ id: z.uuid() }),
  answer: ok.extend({ opening: deskOpeningRow }),
})

/** Ends an opening of unknown outcome whose platform is switched off or does not answer. */
export const endOpening = defineCall({
  method: 'POST',
  path: '/desk/api/openings/:id/end',
  access: 'staff',
  right: 'money.decide',
  decides: ['account-opening.end'],
  input: z.object({ id: z.uuid(), reason: deskReason }),
  answer: ok.extend({ opening: deskOpeningRow }),
})
