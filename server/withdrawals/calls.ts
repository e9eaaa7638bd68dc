import * as withdrawals from '@atrium/contract/withdrawals/calls.ts'
import * as desk from '@atrium/contract/withdrawals/desk-calls.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { cancelTransaction, changeState } from '../funding/cancellation.ts'
import { lookUpAgain } from '../funding/crediting/stuck-credit.ts'
import { settleStuck } from '../funding/crediting/stuck-outcome.ts'
import { deskWithdrawals } from '../funding/desk-transactions.ts'
import { readFindings } from '../funding/ledger.ts'
import { openList } from '../http/list-route.ts'
import { open } from '../http/route.ts'
import { reportReturnedTransfer } from '../payments/exceptions/returned-transfer.ts'
import { markPaidOut, markPayoutFailed } from '../payments/payouts/payout.ts'
import { askAgainAboutPayout, payByProvider } from '../payments/payouts/payout-decision.ts'
import { listEnabledCoins } from './coins.ts'
import { readDeskWithdrawal } from './desk-withdrawals.ts'
import { requestWithdrawal, validateWithdrawal } from './withdrawal.ts'
import { approveWithdrawal, rejectWithdrawal } from './withdrawal-decision.ts'
import { quoteWithdrawal } from './withdrawal-quote.ts'

export function openWithdrawalCalls(app: FastifyInstance, context: Context): void {
  open(app, context, withdrawals.createWithdrawal, {
    scopes: ['withdraw'],
    audit: ['withdrawal.requested'],
    idempotent: true,
    notifies: ['withdrawal.requested'],
    validate: validateWithdrawal,
    handler: async (member, input) => ({ transaction: await requestWithdrawal(member, input) }),
  })

  open(app, context, withdrawals.readWithdrawalQuote, {
    scopes: ['withdraw'],
    early: false,
    handler: async (member, input) => {
      return { preflight: await quoteWithdrawal(member, input) }
    },
  })

  open(app, context, withdrawals.readEnabledCoins, {
    scopes: ['withdraw'],
    early: false,
    handler: async (member, input) => {
      return { enabled_coins: await listEnabledCoins(member, input) }
    },
  })

  open(app, context, withdrawals.changeTransactionState, {
    scopes: ['deposit', 'withdraw', 'transactions'],
    audit: ['withdrawal.cancelled'],
    idempotent: true,
    duringErasure: 'pending',
    example: { status: 'cancelled' },
    handler: async (member, input) => {
      const { balance, ...transaction } = await changeState(member, input)
      return { msg: [withdrawals.withdrawalTexts.stateChanged], trading_transaction: transaction, balance }
    },
  })

  open(app, context, withdrawals.deleteTransaction, {
    scopes: ['deposit', 'withdraw', 'transactions'],
    audit: ['withdrawal.cancelled'],
    idempotent: true,
    duringErasure: 'pending',
    handler: async (member, input) => {
      await cancelTransaction(member, input.id)
      return {}
    },
  })
}

export function openDeskWithdrawalCalls(app: FastifyInstance, context: Context): void {
  openList(app, context, desk.deskWithdrawalCalls, deskWithdrawals)

  open(app, context, desk.readWithdrawal, async (staff, input) => {
    return { withdrawal: await readDeskWithdrawal(staff, input.id) }
  })

  open(app, context, desk.approveWithdrawal, {
    audit: ['withdrawal.approved-by-desk'],
    idempotent: true,
    notifies: ['withdrawal.approved'],
    duringErasure: 'pending',
    handler: async (staff, input) => {
      await approveWithdrawal(staff, input.id, input.seen)
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.rejectWithdrawal, {
    audit: ['withdrawal.rejected'],
    idempotent: true,
    notifies: ['withdrawal.rejected'],
    duringErasure: 'pending',
    example: { reason: 'withdrawal_other' },
    handler: async (staff, input) => {
      await rejectWithdrawal(staff, input.id, input)
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.markWithdrawalPaid, {
    audit: ['withdrawal.paid-out'],
    idempotent: true,
    notifies: ['withdrawal.paid'],
    duringErasure: 'pending',
    example: { reference: 'SWIFT 4711' },
    handler: async (staff, input) => {
      await markPaidOut(staff, input.id, input.reference, input.reason)
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.markPayoutFailed, {
    audit: ['withdrawal.payout-failed'],
    idempotent: true,
    duringErasure: 'pending',
    example: { note: 'The bank sent it back.' },
    handler: async (staff, input) => {
      await markPayoutFailed(staff, input.id, input.note)
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.reportReturnedTransfer, {
    audit: ['withdrawal.return-reported', 'payment-case.opened'],
    idempotent: true,
    duringErasure: 'pending',
    example: { amount: '1.00', reference: 'RETURN 4711', reason: 'The bank sent it back.' },
    handler: async (staff, input) => {
      await reportReturnedTransfer(staff, input.id, input)
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.payWithdrawalByProvider, {
    audit: ['payout.created'],
    idempotent: true,
    duringErasure: 'pending',
    handler: async (staff, input) => {
      await payByProvider(staff, input.id)
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.lookUpWithdrawalAgain, {
    audit: ['intent.unknown'],
    idempotent: true,
    handler: async (staff, input) => {
      if (!(await askAgainAboutPayout(staff, input.id))) await lookUpAgain(staff, input.id, 'withdrawal')
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.settleStuckWithdrawal, {
    audit: ['withdrawal.outcome-decided'],
    idempotent: true,
    duringErasure: 'pending',
    example: { outcome: 'not_executed', reason: 'Not in the report of the platform' },
    handler: async (staff, input) => {
      await settleStuck(staff, input.id, 'withdrawal', input)
      return { withdrawal: await readDeskWithdrawal(staff, input.id) }
    },
  })

  open(app, context, desk.readLedger, (staff) => readFindings(staff))
}
