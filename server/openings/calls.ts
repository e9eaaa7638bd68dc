import * as contract from '@atrium/contract/openings/calls.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open } from '../http/route.ts'
import { readCounted } from './eligibility.ts'
import { type Opened, openTradingAccount } from './open-account.ts'
import { listEndedOpenings, listOwnOpenings } from './queries.ts'

export function openOpeningCalls(app: FastifyInstance, context: Context): void {
  open(app, context, contract.openLiveAccount, {
    scopes: ['my_accounts'],
    audit: ['opening.done', 'opening.requested', 'opening.sending'],
    repeats: 'without a key it means a second account, which is refused while one is being opened',
    notifies: ['account.opened'],
    notifiesAgain: true,
    handler: async (member, input, { reply }) => answerOf(await openTradingAccount(member, 'live', input), reply),
  })
  open(app, context, contract.openDemoAccount, {
    scopes: ['my_accounts'],
    audit: ['deposit.demo-balance', 'opening.done', 'opening.requested', 'opening.sending'],
    repeats: 'without a key it means a second account, which is refused while one is being opened',
    notifies: ['account.opened'],
    notifiesAgain: true,
    handler: async (member, input, { reply }) => answerOf(await openTradingAccount(member, 'demo', input), reply),
  })
  open(app, context, contract.listOpenings, {
    scopes: ['my_accounts'],
    handler: async (member) => ({
      // Read in this order, an opening that ends between the reads is in both lists, never in neither.
      openings: await listOwnOpenings(member),
      ended: await listEndedOpenings(member),
      counted: await readCounted(member),
    }),
  })
}

/** 202: accepted and undecided, neither a success nor a failure to retry. */
function answerOf(opened: Opened, reply: FastifyReply) {
  if ('account' in opened) return { trading_account: opened.account }
  reply.code(202)
  return {
    status: 'checking',
    code: 'opening_being_checked',
    message: openingTexts.openingVerifying,
    opening_id: opened.checking,
    trading_account: null,
  } as const
}
