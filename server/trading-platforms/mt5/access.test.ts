import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, login, startBench } from '../../../tests/fixtures/trading/mt5-platform.ts'
import { collect } from '../../../tests/fixtures/trading/trading-platforms.ts'
import { realTime } from '../../foundation/timer.ts'
import { GatewayError } from '../contract.ts'
import { silentLog } from '../dependencies.ts'
import { makeIntentTag } from '../intent-tag.ts'
import { findAccountByTag } from './accounts.ts'
import { platformClock } from './clock.ts'
import { openGroupCache, type Platform } from './platform.ts'
import { mt5Settings } from './settings.ts'
import { parseAnswer } from './wire.ts'

function benchTest(title: string, work: (bench: Bench) => Promise<void>): void {
  test(title, async () => {
    const bench = await startBench()
    try {
      await work(bench)
    } finally {
      await bench.stop()
    }
  })
}

benchTest(
  'one right changes on the platform, and every other bit stays, above 2^31 too',
  async ({ simulator, gateway }) => {
    // Enabled, may change the password, and bits unknown to this version.
    const rights = (2n ** 63n + 2n ** 40n + 2n ** 31n + 0x163n).toString()
    simulator.control.changeAccount(login, { rights })
    const now = () => BigInt(simulator.control.account(login)?.rights ?? '0')
    await gateway.setAccess(login, { tradingAllowed: false })
    assert.equal(now(), BigInt(rights) + 4n)
    await gateway.setAccess(login, { passwordChangeAllowed: false })
    assert.equal(now(), BigInt(rights) + 4n - 2n)
    await gateway.setAccess(login, { tradingAllowed: true, passwordChangeAllowed: true })
    assert.equal(now(), BigInt(rights))
  },
)

benchTest('an update with a lost answer is unknown, and is not sent again', async ({ simulator, gateway }) => {
  simulator.control.addFault({ path: '/api/user/update', times: 1, kind: 'execute-then-drop' })
  const error = await gateway.setAccess(login, { enabled: false }).catch((problem: unknown) => problem)
  assert.ok(error instanceof GatewayError)
  assert.deepEqual([error.outcome, error.sent], ['unknown', true])
  assert.equal(simulator.control.calls().filter(({ path }) => path === '/api/user/update').length, 1)
  assert.equal((await gateway.readAccount(login)).enabled, false)
})

benchTest('lists accounts without personal data if the manager login sees none', async ({ simulator, gateway }) => {
  simulator.control.setSwitches({ personalDataVisible: false })
  const listed = (await collect(gateway.listAccounts(['real\\*']))).flat()
  assert.ok(listed.length >= 3)
  for (const { email, name } of listed) assert.deepEqual([email, name], [null, null])
})

benchTest('compares the other fields if the manager login sees no personal data', async ({ simulator, gateway }) => {
  const person = { firstName: 'Ada', lastName: 'Hidden', email: 'ada.hidden@example.test', zip: 'VLT 1117' }
  const wanted = { tag: makeIntentTag(), group: 'real\\standard-usd', leverage: 100, ...person }
  const passwords = { mainPassword: 'Qa7#mPz2', investorPassword: 'v9!TxR4kLw2@Zb6' }
  simulator.control.setSwitches({ personalDataVisible: false, altered: { Leverage: '50', ZipCode: '' } })
  const { login: opened } = await gateway.openAccount({ ...wanted, ...passwords, kind: 'live' })
  assert.deepEqual(await gateway.compareAccount(opened, wanted), ['leverage'])
  simulator.control.setSwitches({ personalDataVisible: true })
  assert.deepEqual(await gateway.compareAccount(opened, wanted), ['leverage', 'zip'])
})

benchTest('stores no email address that the platform would change into another one', async ({ gateway }) => {
  const passwords = { mainPassword: 'Qa7#mPz2', investorPassword: 'v9!TxR4kLw2@Zb6' }
  const place = {
    group: 'real\\standard-usd',
    leverage: 100,
    kind: 'live',
    firstName: 'Ada',
    lastName: 'First',
  } as const
  const addresses = ['ada=first@example.test', `${'a'.repeat(60)}@example.test`]
  for (const email of addresses) {
    const wanted = { ...place, tag: makeIntentTag(), email }
    const { login: opened } = await gateway.openAccount({ ...wanted, ...passwords })
    const emailOf = async () =>
      (await collect(gateway.listAccounts([place.group]))).flat().find((account) => account.login === opened)?.email
    assert.equal(await emailOf(), null, email)
    assert.deepEqual(await gateway.compareAccount(opened, wanted), [])
    await gateway.changePerson(opened, { ...wanted, email: 'ada@example.test' })
    assert.equal(await emailOf(), 'ada@example.test')
    await gateway.changePerson(opened, wanted)
    assert.equal(await emailOf(), null, email)
  }
})

test('takes a malformed list of logins for no proof that an account is absent', async () => {
  const settings = mt5Settings.parse({
    baseUrl: 'https://mt5.example.test',
    managerLogin: '1002',
    managerPassword: 'secret',
    timeZone: 'UTC',
  })
  for (const logins of [{ login: '700123' }, '700123', [['700123']], ['70x123']]) {
    const answer = parseAnswer(JSON.stringify({ retcode: '0 Done', answer: logins }))
    const platform: Platform = {
      client: {
        call: async () => answer,
        state: () => ({ authenticated: true, lastTrafficAt: null, clockAheadSeconds: null, problems: [] }),
        close: async () => undefined,
      },
      clock: platformClock({ timeZone: 'UTC', shiftMinutes: 0 }),
      settings,
      dependencies: { time: realTime, log: silentLog },
      groups: openGroupCache(),
    }
    await assert.rejects(findAccountByTag(platform, makeIntentTag(), { group: 'real\\standard-usd' }), {
      reason: 'protocol',
    })
  }
})

benchTest('a listing starts a new session', async ({ simulator, gateway, time }) => {
  await gateway.readAccount(login)
  time.advance(1_000)
  const signIns = () => simulator.control.calls().filter(({ path }) => path === '/api/auth/answer').length
  const before = signIns()
  await collect(gateway.listAccounts(['real\\*']))
  assert.equal(signIns(), before + 1)
})
