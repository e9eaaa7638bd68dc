import * as contract from '@atrium/contract/accounts/calls.ts'
import { watchAccountMetrics } from '@atrium/contract/accounts/live-metrics.ts'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../foundation/context.ts'
import { open, openEvents } from '../http/route.ts'
import { readAccountMetricsHistory, readRecentEquity } from './account-metrics-history.ts'
import { openLiveHub, readLiveAccountMetrics } from './live-hub.ts'
import { changeTradingPassword, readPolicy } from './password-change.ts'

export function openAccountCalls(app: FastifyInstance, context: Context): void {
  const hub = openLiveHub(context)
  // Ends the streams before the server waits for open connections, since they never end by themselves.
  app.addHook('preClose', async () => hub.close())

  openEvents(app, context, watchAccountMetrics, {
    scopes: ['my_accounts'],
    once: async (member) => ({ accounts: await readLiveAccountMetrics(member) }),
    follow: async (member) => hub.watch(member),
  })

  open(app, context, contract.readAccountMetrics, {
    scopes: ['my_accounts'],
    handler: (member, input) => readAccountMetricsHistory(member, input),
  })

  open(app, context, contract.readRecentEquity, {
    scopes: ['my_accounts'],
    handler: readRecentEquity,
  })

  open(app, context, contract.readPasswordPolicy, {
    scopes: ['my_accounts'],
    handler: async (member, { id }) => ({ policy: await readPolicy(member, id) }),
  })

  open(app, context, contract.changeTradingPassword, {
    scopes: ['my_accounts'],
    audit: ['trading-password.asked', 'trading-password.changed'],
    repeats: 'it sets the same password again and notifies its owner',
    notifies: ['trading-password.changed'],
    notifiesAgain: true,
    handler: async (member, { id, new_password }) => {
      await changeTradingPassword(member, { accountId: id, which: 'main', password: new_password })
      return { msg: [accountTexts.passwordChanged] }
    },
  })

  open(app, context, contract.changeInvestorPassword, {
    scopes: ['my_accounts'],
    audit: ['investor-password.asked', 'investor-password.changed'],
    repeats: 'it sets the same password again and notifies its owner',
    notifies: ['trading-password.changed'],
    notifiesAgain: true,
    handler: async (member, { id, new_password }) => {
      await changeTradingPassword(member, { accountId: id, which: 'investor', password: new_password })
      return { msg: [accountTexts.investorChanged] }
    },
  })
}
