import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Bench, login, startBench } from '../../../tests/fixtures/trading/mt5-platform.ts'
import { collect, until } from '../../../tests/fixtures/trading/trading-platforms.ts'
import { makeIntentTag } from '../intent-tag.ts'

async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await startBench()
  try {
    await work(bench)
  } finally {
    await bench.stop()
  }
}

const nameOf = (number: number): string => `real\\many-${String(number).padStart(5, '0')}`
const addGroups = ({ simulator }: Bench, count: number): void => {
  for (let made = 0; made < count; made++) simulator.control.addGroup({ name: nameOf(made), currency: 'USD' })
}
const pagesOf = ({ simulator }: Bench): number =>
  simulator.control.calls().filter(({ path }) => path === '/api/group/next').length

describe('the list of groups', () => {
  test('is read in pages to its end, beyond the 5,000 that a mask would show', () =>
    withBench(async (bench) => {
      const usual = (await bench.gateway.listGroups()).length
      addGroups(bench, 5_100)
      bench.simulator.control.clearCalls()
      const names = (await bench.gateway.listGroups()).map(({ name }) => name)
      assert.equal(names.length, usual + 5_100)
      assert.ok(names.includes(nameOf(5_099)))
      assert.ok(!names.some((name) => name.startsWith('managers')))
      // Each begins with the last row before it; after the short one come that row alone, and the platform's word that
      // there is no further group.
      assert.equal(pagesOf(bench), 54)
    }))

  for (const [what, code] of [
    ['is cut off', 14],
    ['is refused', 8],
    ['fails', 7],
  ] as const)
    test(`does not count when a later page ${what}`, () =>
      withBench(async (bench) => {
        addGroups(bench, 150)
        const reading = bench.gateway.listGroups()
        const { control } = bench.simulator
        await until(() => pagesOf(bench) > 0)
        control.addFault({ path: '/api/group/next', times: 1, kind: 'answer-code', code })
        await assert.rejects(reading, { platformCode: code })
      }))

  test('comes with every record once when a group is added meanwhile', () =>
    withBench(async (bench) => {
      addGroups(bench, 150)
      const reading = bench.gateway.listGroups()
      await until(() => pagesOf(bench) > 0)
      bench.simulator.control.addGroup({ name: 'a-first-one', currency: 'EUR' })
      const names = (await reading).map(({ name }) => name)
      assert.equal(new Set(names).size, names.length)
      for (let number = 0; number < 150; number++) assert.ok(names.includes(nameOf(number)))
    }))
})

test('one group is read without the others', () =>
  withBench(async (bench) => {
    assert.equal((await bench.gateway.findGroup('real\\standard-jpy'))?.currencyDigits, 0)
    assert.equal(pagesOf(bench), 0)
    bench.simulator.control.addFault({ path: '/api/group/get', times: 1, kind: 'answer-code', code: 8 })
    assert.equal(await bench.gateway.findGroup('real\\standard-jpy'), null)
    bench.simulator.control.addFault({ path: '/api/group/get', times: 1, kind: 'answer-code', code: 7 })
    await assert.rejects(bench.gateway.findGroup('real\\standard-jpy'), { reason: 'unreachable' })
  }))

test('an account whose group cannot be read is not taken for a deleted one', () =>
  withBench(async ({ simulator, gateway }) => {
    const hide = () => simulator.control.addFault({ path: '/api/group/get', times: 1, kind: 'answer-code', code: 13 })
    const move = { tag: makeIntentTag(), login, amount: '10.00', currency: 'USD', kind: 'balance', note: '' } as const
    for (const read of [
      () => gateway.readAccount(login),
      () => gateway.changeBalance({ ...move, refuseIfMarginTooLow: false }),
    ]) {
      hide()
      await assert.rejects(read(), { outcome: 'rejected', reason: 'not_permitted' })
    }
    assert.equal((await gateway.readAccount(login)).login, login)
  }))

test('a group that may not be read keeps no account of another from being read', () =>
  withBench(async ({ simulator: { control }, gateway }) => {
    const hidden = 'real\\raw-usd'
    control.seedAccounts([{ login: '700200', group: hidden, name: 'Ada Hidden', leverage: 100 }])
    control.setSwitches({ hiddenGroups: [hidden] })
    assert.deepEqual([...(await gateway.readAccounts(['700200', login])).keys()], [login])
    control.resetSwitches()
    const refuse = (times: number) =>
      control.addFault({ path: '/api/user/logins', times, kind: 'answer-code', code: 8 })
    const refused: string[] = []
    const list = (...told: [(group: string) => void] | []) =>
      collect(gateway.listAccounts(['demo\\standard-usd', 'real\\standard-usd'], ...told))
    const note = (group: string) => refused.push(group)
    refuse(1)
    assert.ok((await list(note)).flat().some((account) => account.login === login))
    assert.deepEqual(refused, ['demo\\standard-usd'])
    refuse(1)
    await assert.rejects(list(), { reason: 'not_permitted' })
    refuse(2)
    await assert.rejects(list(note), { reason: 'not_permitted' })
  }))

test('a group that may not be read is asked for once, however many accounts of it are read together', () =>
  withBench(async ({ simulator: { control }, gateway }) => {
    const hidden = 'real\\raw-usd'
    const inGroup = Array.from({ length: 30 }, (_, number) => String(700_200 + number))
    control.seedAccounts(inGroup.map((each) => ({ login: each, group: hidden, name: 'Ada Hidden', leverage: 100 })))
    control.setSwitches({ hiddenGroups: [hidden] })
    control.clearCalls()
    assert.deepEqual([...(await gateway.readAccounts([...inGroup, login])).keys()], [login])
    assert.equal(control.calls().filter(({ path }) => path === '/api/group/get').length, 2)
  }))
