import { accountTexts } from '@atrium/contract/account-texts.ts'
import { watchFigures } from '@atrium/contract/live-figures.ts'
import * as contract from '@atrium/contract/trading-accounts.ts'
import type { FastifyInstance } from 'fastify'
import type { Ground } from '../foundation/ground.ts'
import { open, openEvents } from '../http/route.ts'
import { readFigureHistory, readRecentEquity } from './figure-history.ts'
import { openLiveHub, readFigures } from './live-hub.ts'
import { changeTradingPassword, readPolicy } from './password-change.ts'

export function openAccountCalls(app: FastifyInstance, ground: Ground): void {
  const hub = openLiveHub(ground)
  // Before the server waits for open connections: these would never end by themselves.
  app.addHook('preClose', async () => hub.close())

  openEvents(app, ground, watchFigures, {
    once: async (member) => ({ accounts: await readFigures(member) }),
    follow: async (member) => hub.watch(member),
  })

  open(app, ground, contract.readAccountFigures, (member, input) => readFigureHistory(member, input))

  open(app, ground, contract.readRecentEquity, readRecentEquity)

  open(app, ground, contract.readPasswordPolicy, async (member, { id }) => ({ policy: await readPolicy(member, id) }))

  open(app, ground, contract.changeTradingPassword, async (member, { id, new_password }) => {
    await changeTradingPassword(member, { accountId: id, which: 'main', password: new_password })
    return { msg: [accountTexts.passwordChanged] }
  })

  open(app, ground, contract.changeInvestorPassword, async (member, { id, new_password }) => {
    await changeTradingPassword(member, { accountId: id, which: 'investor', password: new_password })
    return { msg: [accountTexts.investorChanged] }
  })
}
