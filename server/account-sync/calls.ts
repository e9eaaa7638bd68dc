import {
  correctAccountOwner,
  decideAccountDifference,
  deskAccountCalls,
  differenceCalls,
  readDeskAccount,
  setAccountAccess,
} from '@atrium/contract/account-sync/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import { changeAccountAccess } from '../accounts/access.ts'
import type { Context } from '../foundation/context.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { decideDifference } from './decision.ts'
import { deskAccounts } from './desk-list.ts'
import { correctOwner } from './owner.ts'
import { accountDifferences, readAccountForDesk } from './queries.ts'

export function openDeskAccountCalls(app: FastifyInstance, context: Context): void {
  openList(app, context, differenceCalls, accountDifferences)
  openList(app, context, deskAccountCalls, deskAccounts)
  open(app, context, readDeskAccount, async (staff, { id }) => ({ account: await readAccountForDesk(staff, id) }))
  open(app, context, setAccountAccess, {
    audit: ['account.access-asked', 'account.access-changed'],
    idempotent: true,
    notifies: ['account.access-changed'],
    commits: 2,
    example: { access: 'read_only', reason: 'Chargeback under review' },
    handler: async (staff, { id, ...wanted }) => {
      await changeAccountAccess(staff, id, wanted)
      return { account: await readAccountForDesk(staff, id) }
    },
  })
  open(app, context, decideAccountDifference, {
    audit: ['account-difference.settled'],
    idempotent: true,
    example: { decision: 'keep' },
    handler: (staff, { id, ...wanted }) => decideDifference(staff, id, wanted),
  })
  open(app, context, correctAccountOwner, {
    audit: ['account.owner-corrected', 'account.owner-removed'],
    idempotent: true,
    notifies: ['account.access-changed'],
    handler: async (staff, { id, ...wanted }) => {
      await correctOwner(staff, id, wanted)
      return { account: await readAccountForDesk(staff, id) }
    },
  })
}
