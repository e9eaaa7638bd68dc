// spec: AO 2.6
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byPlatform, safeLink } from './by-platform.ts'

const platform = (_id: string) => ({ _id, name: `Platform ${_id}`, type: 'mt5', downloads: [] })
const account = (login: string, on: string) => ({
  ...{ _id: login, platform_login: login, live_account: true, deleted: false },
  trading_platform: platform(on),
})

test('groups accounts by platform and lists each platform once', () => {
  const grouped = byPlatform([account('1', 'b'), account('2', 'a'), account('3', 'b')])
  assert.deepEqual(
    grouped.map(({ _id, accounts }) => [_id, accounts.map(({ platform_login }) => platform_login)]),
    [
      ['b', ['1', '3']],
      ['a', ['2']],
    ],
  )
  assert.deepEqual(byPlatform([]), [])
})

for (const [link, isOpened] of [
  ['https://example.com/setup.exe', true],
  ['http://example.com', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//example.com', false],
  ['setup.exe', false],
  ['', false],
  [null, false],
] as const)
  test(`${link} is ${isOpened ? '' : 'not '}opened`, () => {
    assert.equal(safeLink(link), isOpened ? link : null)
  })
