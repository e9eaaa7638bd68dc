import * as contract from '@atrium/contract/payments.ts'
import type { FastifyInstance } from 'fastify'
import { open } from '../foundation/door.ts'
import type { Ground } from '../foundation/ground.ts'
import { openCallbacks } from './callbacks.ts'
import { listDepositCoins } from './deposit-coins.ts'
import { readDepositStatus } from './deposit-status.ts'
import { listDepositWays } from './deposit-ways.ts'
import { readPending } from './pending-deposits.ts'
import { startDeposit } from './start-deposit.ts'

export function openPaymentCalls(app: FastifyInstance, ground: Ground): void {
  open(app, ground, contract.startDeposit, async (member, input) => {
    const { order, handOff } = await startDeposit(member, input)
    if (handOff.kind === 'redirect') return { order, redirectURL: handOff.url }
    if (handOff.kind === 'form') {
      const { action, fields, isFramed } = handOff
      return { order, form_data: { action, fields: [...fields], ...(isFramed && { is_framed: isFramed }) } }
    }
    return { order, pending_deposit: await readPending(member, order) }
  })
  open(app, ground, contract.readDepositCoins, async (member, { payment_method }) => {
    return { coins: await listDepositCoins(member, payment_method) }
  })
  open(app, ground, contract.readDepositWays, async (member, { payment_method, currency }) => {
    return { ways: await listDepositWays(member, payment_method, currency) }
  })
  open(app, ground, contract.depositStatus, (member, { order }) => readDepositStatus(member, order))
  openCallbacks(app, ground)
}
