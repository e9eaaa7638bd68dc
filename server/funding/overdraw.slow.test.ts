import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { reading } from '../foundation/database.ts'
import { type ChildServer, startChildServer } from '../testing/child-server.ts'
import { addMember } from '../testing/harbour.ts'
import { addBankAccount } from '../testing/harbour-money.ts'
import { addAccount } from '../testing/harbour-platforms.ts'
import { openTradingFloor, type TradingFloor } from '../testing/trading-floor.ts'
import { findViolations } from './ledger.ts'

/**
 * Fifty withdrawals of sixty percent of the balance at the same instant, through the doors of two processes: exactly one is
 * taken. `ATRIUM_OVERDRAW_ROUNDS` repeats it, each round with a member and an account of its own.
 */
const rounds = Number(process.env.ATRIUM_OVERDRAW_ROUNDS ?? 3)
const atOnce = 50

let floor: TradingFloor
let servers: ChildServer[]
before(async () => {
  // A busy machine is no reason to turn anybody away here: what is counted is who was let in.
  floor = await openTradingFloor({ readMs: 30_000 })
  const place = { databaseUrl: floor.ownerUrl, dataDirectory: floor.folder }
  servers = await Promise.all([startChildServer(place), startChildServer(place)])
})
after(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await floor.close()
})

type Answer = { status: number; body: Record<string, unknown> }

async function post(server: ChildServer | undefined, path: string, body: object, token?: string): Promise<Answer> {
  assert.ok(server)
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const headers = { 'content-type': 'application/json', ...authorization }
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

for (let round = 1; round <= rounds; round++)
  test(`fifty at once by two processes, round ${round}`, async () => {
    const { system, platformId, simulator } = floor
    const { memberId, email, password } = await addMember(system)
    const login = String(810_000 + round)
    const name = 'Olga Overdraw'
    simulator.control.seedAccounts([{ login, group: 'real\\standard-usd', name, leverage: 100, balance: '1000.00' }])
    const trading_account = await addAccount(system, { memberId, platformId, platform_login: login })
    const destination_id = await addBankAccount(system, { memberId })
    const token = String((await post(servers[0], '/members/login', { email, password })).body.token)
    const ask = { token_key: 'transaction_withdrawal' }
    const tokens = await Promise.all(
      Array.from({ length: atOnce }, () => post(servers[0], '/members/get-unique-token', ask, token)),
    )
    const answers = await Promise.all(
      tokens.map(({ body }, index) => {
        const asked = { ...ask, trading_account, amount: '600.00', comment: 'All of it', nonce_token: body.token }
        const form = { ...asked, destination: 'bank_account', destination_id }
        return post(servers[index % 2], '/members/withdrawals/create', form, token)
      }),
    )
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    // On a machine that can do no more some are told to come again, which takes nothing either.
    assert.deepEqual(
      statuses.filter((status) => ![200, 422, 503].includes(status)),
      [],
    )
    const rows = await reading(system, (tx) =>
      tx
        .selectFrom('balance_transactions')
        .select('transaction_id')
        .where('workspace_id', '=', system.workspaceId)
        .where('member_id', '=', memberId)
        .execute(),
    )
    assert.equal(rows.length, 1)
    assert.deepEqual(await findViolations(system), [])
  })
