import * as contract from '@atrium/contract/payments/calls.ts'
import { providerPrefix } from '@atrium/contract/payments/orders.ts'
import { startDeposit as startDepositCall } from '@atrium/contract/payments/start-deposit.ts'
import type { FastifyInstance } from 'fastify'
import type { Member } from '../foundation/actor.ts'
import type { Context } from '../foundation/context.ts'
import type { Body } from '../foundation/form-fields.ts'
import { noteBeforeIdentity } from '../funding/identity-rule.ts'
import { nameAccount } from '../funding/named-account.ts'
import { open } from '../http/route.ts'
import type { Redirect } from '../payment-providers/contract.ts'
import { openCallbacks } from './callbacks.ts'
import { listDepositCoins } from './deposit-coins.ts'
import { findOpenPayment, readDepositStatus } from './deposit-status.ts'
import { listDepositWays } from './deposit-ways.ts'
import { readPending } from './pending-deposits.ts'
import { startDeposit, validateDepositStart } from './start-deposit.ts'

export function openPaymentCalls(app: FastifyInstance, context: Context): void {
  open(app, context, startDepositCall, {
    scopes: ['deposit'],
    audit: ['order.created', 'order.handed-over'],
    idempotent: true,
    commits: 2,
    respell: nameProviderAndAccount,
    validate: validateDepositStart,
    handler: async (member, input) => {
      const { order, redirect, way, coin } = await startDeposit(member, input)
      const chosen = { ...(way && { payment_way: way }), ...(coin && { crypto_currency: coin }) }
      const started = { order, trading_account: input.trading_account, ...chosen }
      return { ...started, ...(await pageOf(member, order, redirect)) }
    },
  })
  open(app, context, contract.readOpenPayment, {
    scopes: ['deposit'],
    handler: async (member, { _id }) => {
      const { redirect, ...payment } = await findOpenPayment(member, _id)
      return { ...payment, ...(redirect && (await pageOf(member, payment.order, redirect))) }
    },
  })
  open(app, context, contract.readDepositCoins, {
    scopes: ['deposit'],
    handler: async (member, { payment_method }) => {
      return { coins: await listDepositCoins(member, payment_method) }
    },
  })
  open(app, context, contract.readDepositWays, {
    scopes: ['deposit'],
    handler: async (member, { payment_method, currency }) => {
      const ways = payment_method === 'manual' ? [] : await listDepositWays(member, payment_method, currency)
      const said = await noteBeforeIdentity(member, currency)
      return { ways, ...(said !== null && { before_identity: said }) }
    },
  })
  open(app, context, contract.depositStatus, {
    scopes: ['deposit'],
    unaudited: 'it only reads',
    touches: [],
    idempotent: true,
    handler: (member, { order }) => readDepositStatus(member, order),
  })
  openCallbacks(app, context)
}

async function pageOf(member: Member, order: string, redirect: Redirect) {
  if (redirect.kind === 'redirect') return { redirectURL: redirect.url }
  if (redirect.kind === 'form') return formOf(redirect)
  return { pending_deposit: await readPending(member, order) }
}

/** Also repeats the fields under the specification's names where they match. */
function formOf({ action, fields, isFramed }: Extract<Redirect, { kind: 'form' }>) {
  const { pid, cmd, des } = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
  const isNamed = fields.length === 3 && pid !== undefined && cmd !== undefined && des !== undefined
  return {
    ...(isNamed && { url: action, pid, cmd, des }),
    form_data: { action, fields: [...fields], ...(isFramed && { is_framed: isFramed }) },
  }
}

/** Accepts a provider named as `destination`, as the specification's client does for some, as the payment method. */
function nameProviderAndAccount(body: Body, member: Member): Promise<Body> {
  const { destination } = body
  const isNamed = typeof destination === 'string' && destination.startsWith(providerPrefix)
  return nameAccount(isNamed && !body.payment_method ? { ...body, payment_method: destination } : body, member)
}
