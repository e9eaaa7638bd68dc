// spec: MP 7

/**
 * Kills the program as a power cut would, at each step of opening a demo account, with a healthy platform and with
 * faulty ones. After a restart the platform and the portal must know the same accounts.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type ChildServer, eventually } from '../../tests/doubles/child-server.ts'
import { killTiming, postTo, signInTo, startServerOn } from '../../tests/doubles/killed-server.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, approveDocuments } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { openingFailpoints } from '../foundation/failpoint.ts'

const group = 'demo\\standard-usd'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture({ timing: killTiming })
})
after(() => setup.close())

function openingOf(memberId: string) {
  return reading(setup.system, (tx) =>
    tx
      .selectFrom('account_openings')
      .selectAll()
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('member_id', '=', memberId)
      .executeTakeFirst(),
  )
}

async function isOver(memberId: string): Promise<boolean> {
  const opening = await openingOf(memberId)
  return !opening || !['ready', 'sending', 'unknown'].includes(opening.state)
}

function known(memberId: string) {
  return reading(setup.system, async (tx) => ({
    accounts: await tx
      .selectFrom('trading_accounts')
      .where(here)
      .select('platform_login')
      .where('member_id', '=', memberId)
      .execute(),
    money: await tx
      .selectFrom('balance_transactions')
      .where(here)
      .select('state')
      .where('member_id', '=', memberId)
      .execute(),
  }))
}

async function open(server: ChildServer, token: string): Promise<number | null> {
  const body = {
    initial_deposit: 0,
    main_password: 'Tidal-Gauge-71',
    trading_platform: setup.platformId,
    group,
    leverage: 100,
  }
  return (await postTo(server, '/members/trading/open-demo-account', body, token))?.status ?? null
}

describe('a process killed while it opens an account', () => {
  for (const failpoint of openingFailpoints) {
    for (const kind of [null, 'execute-then-drop', 'drop-before'] as const) {
      test(`opens one account when killed at ${failpoint}, ${kind ?? 'with a working platform'}`, async () => {
        const person = await addMember(setup.system)
        const { memberId } = person
        await approveDocuments(setup.system, memberId)
        setup.simulator.control.clearFaults()
        if (kind) setup.simulator.control.addFault({ path: '/api/user/add', times: 1, kind })
        const before = setup.simulator.control.accountsOf(group).length
        const doomed = await startServerOn(setup, { failpoint })
        const status = await open(doomed, await signInTo(doomed, person))
        assert.ok([null, 202].includes(status), `answered ${status}`)
        // A lost answer never reaches `opening.called`: the job reaches a later point, or the test kills the server.
        if (status !== null)
          await Promise.race([doomed.exited, eventually('the opening has ended', () => isOver(memberId))])
        await doomed.stop()

        const second = await startServerOn(setup)
        try {
          await eventually('the opening has ended', () => isOver(memberId))
          const made = setup.simulator.control.accountsOf(group).slice(before)
          assert.ok(made.length <= 1, 'accounts on the platform')
          const { accounts } = await known(memberId)
          assert.deepEqual(
            accounts.map(({ platform_login }) => platform_login),
            made,
          )
          if (made.length === 0) return
          await eventually('the starting balance is credited', async () =>
            (await known(memberId)).money.every(({ state }) => state === 'approved'),
          )
          assert.equal((await known(memberId)).money.length, 1)
          assert.equal(setup.simulator.control.account(String(made[0]))?.balance, '10000.00')
        } finally {
          await second.stop()
        }
      })
    }
  }
})
