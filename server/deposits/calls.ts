import { createDeposit } from '@atrium/contract/deposits/calls.ts'
import * as desk from '@atrium/contract/deposits/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { lookUpAgain } from '../funding/crediting/stuck-credit.ts'
import { settleStuck } from '../funding/crediting/stuck-outcome.ts'
import { deskDeposits } from '../funding/desk-transactions.ts'
import { nameAccount } from '../funding/named-account.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { approveDeposit, rejectDeposit } from './decision.ts'
import { requestDeposit, validateDeposit } from './deposit.ts'
import { readDeskDeposit } from './desk-queries.ts'

export function openDepositCalls(app: FastifyInstance, context: Context): void {
  open(app, context, createDeposit, {
    scopes: ['deposit'],
    audit: ['deposit.requested'],
    idempotent: true,
    respell: nameAccount,
    validate: validateDeposit,
    handler: async (member, input) => ({ transaction: await requestDeposit(member, input) }),
  })
}

export function openDeskDepositCalls(app: FastifyInstance, context: Context): void {
  openList(app, context, desk.deskDepositCalls, deskDeposits)

  open(app, context, desk.readDeposit, async (staff, input) => {
    return { deposit: await readDeskDeposit(staff, input.id) }
  })

  open(app, context, desk.approveDeposit, {
    audit: ['deposit.approved-by-desk'],
    idempotent: true,
    duringErasure: 'pending',
    handler: async (staff, input) => {
      await approveDeposit(staff, input.id, input.seen)
      return { deposit: await readDeskDeposit(staff, input.id) }
    },
  })

  open(app, context, desk.lookUpAgain, {
    audit: ['intent.unknown'],
    idempotent: true,
    handler: async (staff, input) => {
      await lookUpAgain(staff, input.id)
      return { deposit: await readDeskDeposit(staff, input.id) }
    },
  })

  open(app, context, desk.settleStuckDeposit, {
    audit: ['deposit.outcome-decided'],
    idempotent: true,
    duringErasure: 'pending',
    example: { outcome: 'not_executed', reason: 'Not in the report of the platform' },
    handler: async (staff, input) => {
      await settleStuck(staff, input.id, 'deposit', input)
      return { deposit: await readDeskDeposit(staff, input.id) }
    },
  })

  open(app, context, desk.rejectDeposit, {
    audit: ['deposit.rejected'],
    idempotent: true,
    notifies: ['deposit.rejected'],
    duringErasure: 'pending',
    example: { reason: 'other' },
    handler: async (staff, input) => {
      await rejectDeposit(staff, input.id, input)
      return { deposit: await readDeskDeposit(staff, input.id) }
    },
  })
}
