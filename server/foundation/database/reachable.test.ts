import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardedLookup, isNetwork, isReachable } from './reachable.ts'

const operated = { production: true, platformNetworks: ['10.20.0.0/16', 'fd00:20::/32'] }

test('closes internal addresses in every notation in production', () => {
  for (const address of [
    ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '10.0.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fd12::1', 'ff02::1'],
    ...['::ffff:127.0.0.1', '::ffff:169.254.169.254', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::'],
    ...['localhost', '0x7f000001', '2130706433', '127.1', ''],
  ])
    assert.equal(isReachable(operated, address), false, address)
})

test('opens public addresses and those the operator allowed, and no others', () => {
  for (const address of ['93.184.216.34', '2606:2800:220:1::1', '10.20.3.4', 'fd00:20::5', '::ffff:10.20.3.4'])
    assert.equal(isReachable(operated, address), true, address)
  for (const address of ['10.21.0.1', 'fd00:21::5']) assert.equal(isReachable(operated, address), false, address)
})

test('lets a development machine reach its own simulators', () => {
  assert.equal(isReachable({ production: false, platformNetworks: [] }, '127.0.0.1'), true)
})

test('refuses a name that resolves to an internal address on connect', async () => {
  const lookUp = (production: boolean) =>
    new Promise<string>((resolve) => {
      const done = (error: Error | null) => resolve(error ? error.message : 'open')
      guardedLookup({ production, platformNetworks: [] })('localhost', { all: true }, done)
    })
  assert.equal(await lookUp(true), 'This address is in a private network.')
  assert.equal(await lookUp(false), 'open')
})

test('accepts a network only as an address and a prefix length', () => {
  for (const text of ['10.0.0.0/8', '10.1.2.3/32', 'fd00::/8', '::/128']) assert.ok(isNetwork(text), text)
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/8/8', 'example.com/8', '10.0.0.0/-1', 'fd00::/129', ''])
    assert.ok(!isNetwork(text), text)
})
