import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { eventually } from '../../tests/doubles/child-server.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { fixtureLogin, openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { inTransaction } from '../foundation/database/database.ts'
import { checkPlatform, describeReport, isWell, listPlatforms, type PlatformReport } from './platform-check.ts'

const group = 'real\\standard-usd'
let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())
beforeEach(async () => {
  setup.simulator.control.resetSwitches()
  setup.simulator.control.clearFaults()
  await setup.simulator.control.up()
  await offer([group])
})

async function offer(names: string[]): Promise<void> {
  const groups = JSON.stringify(names.map((name) => ({ name, alias: name })))
  await inTransaction(setup.system, (tx) =>
    tx
      .updateTable('trading_platforms')
      .where(here)
      .set({ groups })
      .where('platform_id', '=', setup.platformId)
      .execute(),
  )
}

async function check(): Promise<PlatformReport> {
  const [platform] = await listPlatforms(setup.system, 'metatrader 5')
  assert.ok(platform)
  return checkPlatform(setup.system, platform)
}

/** Checks over a new connection, because the circuit of an earlier one may be open. */
async function checkAnew(): Promise<PlatformReport> {
  setup.simulator.control.dropConnections()
  return check()
}

const wrongOf = ({ findings }: PlatformReport) =>
  findings.filter(({ verdict }) => verdict === 'wrong').map(({ step }) => step)

test('reports success for every step of a working platform, changes nothing and reveals no secret', async () => {
  setup.simulator.control.clearCalls()
  const report = await check()
  assert.deepEqual(wrongOf(report), [])
  assert.ok(isWell(report))
  const text = describeReport(report)
  assert.match(text, /ok {2}Offered groups {4}real\\standard-usd: USD, hedging\./)
  assert.match(text, /ok {2}Known accounts/)
  const changing = ['/api/trade/balance', '/api/user/add', '/api/user/update', '/api/user/change_password']
  assert.ok(setup.simulator.control.calls().every(({ path }) => !changing.includes(path)))
  for (const secret of ['Test-Manager-1', 'Mara Member']) assert.ok(!text.includes(secret))
})

test('names a group that is misspelt or missing', async () => {
  await offer(['Real\\Standard-USD', 'real\\nowhere'])
  const report = await check()
  assert.deepEqual(wrongOf(report), ['Offered groups', 'Offered groups'])
  assert.match(describeReport(report), /spelled real\\standard-usd there/)
})

test('reports a manager login without access to personal data', async () => {
  setup.simulator.control.setSwitches({ personalDataVisible: false })
  assert.deepEqual(wrongOf(await check()), ['Reading accounts'])
})

test('reports an account in a group that the manager login may not see', async () => {
  const hidden = 'real\\raw-usd'
  setup.simulator.control.setSwitches({ hiddenGroups: [hidden] })
  setup.simulator.control.changeAccount(fixtureLogin, { group: hidden })
  const report = await check()
  setup.simulator.control.changeAccount(fixtureLogin, { group })
  assert.deepEqual(wrongOf(report), ['Known accounts'])
  assert.match(describeReport(report), new RegExp(`or in a group that the manager login may not see: ${fixtureLogin}`))
})

test('reports a clock in another time zone', async () => {
  setup.simulator.control.setSwitches({ clockShiftSeconds: 7_200 })
  assert.ok(wrongOf(await checkAnew()).includes('Clock'))
})

test('reports a refused sign-in, a foreign server and an unreachable one', async () => {
  setup.simulator.control.setSwitches({ authCode: 1012 })
  assert.deepEqual(wrongOf(await checkAnew()), ['Sign-in'])
  setup.simulator.control.resetSwitches()
  setup.simulator.control.setSwitches({ wrongServerProof: true })
  await untilReported(/Sign-in .*does not know the password/)
  await setup.simulator.control.down()
  await untilReported(/Connection .*cannot be reached/)
})

/** Until the pause after the failed sign-in before is over, a check reports that failure again. */
const untilReported = (finding: RegExp): Promise<void> =>
  eventually(`a report of ${finding.source}`, async () => finding.test(describeReport(await checkAnew())))

test('shows a disabled platform as off, without a call and without an alarm', async () => {
  const set = (enabled: boolean) =>
    inTransaction(setup.system, (tx) =>
      tx
        .updateTable('trading_platforms')
        .where(here)
        .set({ enabled })
        .where('platform_id', '=', setup.platformId)
        .execute(),
    )
  await set(false)
  setup.simulator.control.clearCalls()
  const report = await check()
  assert.deepEqual([report.state, isWell(report), setup.simulator.control.calls().length], ['off', true, 0])
  assert.match(describeReport(report), /^MetaTrader 5 \(mt5\), switched off\n {2}-- {2}Connection {8}Not tried/)
  await set(true)
  assert.equal((await check()).state, 'on')
})
