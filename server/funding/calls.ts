import * as desk from '@atrium/contract/desk.ts'
import { createDeposit } from '@atrium/contract/funding.ts'
import * as transactions from '@atrium/contract/transactions.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openTable } from '../http/route.ts'
import { complainOfDeposit, requestAnyDeposit } from './any-deposit.ts'
import { approveDeposit, rejectDeposit } from './decision.ts'
import { listDeskDeposits, readDeskDeposit } from './desk-queries.ts'
import { exportMovements } from './desk-table.ts'
import { nameAccount } from './named-account.ts'
import { lookAgain } from './stuck-credit.ts'
import { exportTransactions } from './table.ts'
import { readWaitingWork } from './waiting.ts'
import { openWithdrawalCalls } from './withdrawal-calls.ts'

export function openFundingCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, createDeposit, async (member, input) => ({ transaction: await requestAnyDeposit(member, input) }), {
    respell: nameAccount,
    complain: complainOfDeposit,
  })

  openTable(app, ground, transactions.exportTransactions, exportTransactions)
  openWithdrawalCalls(app, ground)
}

export function openDeskFundingCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, desk.listDeposits, async (staff, input) => {
    return { ...(await listDeskDeposits(staff, input)) }
  })

  openTable(app, ground, desk.exportDeposits, async (staff, asked) => {
    return { name: 'deposits.csv', lines: await exportMovements(staff, 'deposit', asked) }
  })

  open(app, ground, desk.readWaiting, (staff) => readWaitingWork(staff))

  open(app, ground, desk.readDeposit, async (staff, input) => {
    return { deposit: await readDeskDeposit(staff, input.id) }
  })

  open(app, ground, desk.approveDeposit, async (staff, input) => {
    await approveDeposit(staff, input.id)
    return { deposit: await readDeskDeposit(staff, input.id) }
  })

  open(app, ground, desk.lookAgain, async (staff, input) => {
    await lookAgain(staff, input.id)
    return { deposit: await readDeskDeposit(staff, input.id) }
  })

  open(app, ground, desk.rejectDeposit, async (staff, input) => {
    await rejectDeposit(staff, input.id, input)
    return { deposit: await readDeskDeposit(staff, input.id) }
  })
}
