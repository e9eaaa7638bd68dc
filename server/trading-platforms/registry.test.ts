import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectPlatform, platformSettings } from './registry.ts'

const settings = {
  baseUrl: 'https://mt5.example.com',
  managerLogin: '1002',
  managerPassword: 'secret-word',
  timeZone: 'Europe/Athens',
}

test('accepts settings of a real server with four fields, and defaults for the rest', async () => {
  assert.deepEqual(platformSettings('mt5').parse(settings), {
    ...settings,
    agent: 'Atrium',
    timeZoneShiftMinutes: 0,
    deadlines: { connectMs: 10_000, authMs: 8_000, readMs: 15_000, writeMs: 30_000 },
    pingEveryMs: 20_000,
    backOff: { firstMs: 1_000, maxMs: 60_000 },
    callsPerSecond: 20,
    leverage: { min: 1, max: 500 },
    accountRights: '355',
    allowPlainHttp: false,
  })
  await connectPlatform('mt5', settings).close()
})

test('refuses plain HTTP unless it is allowed', async () => {
  const plain = { ...settings, baseUrl: 'http://127.0.0.1:9000' }
  assert.throws(() => connectPlatform('mt5', plain), /https/)
  await connectPlatform('mt5', { ...plain, allowPlainHttp: true }).close()
})

test('refuses malformed settings without repeating the password', () => {
  const wrong = [
    { baseUrl: 'mt5.example.com' },
    { baseUrl: 'ftp://mt5.example.com' },
    { baseUrl: 'https://user:word@mt5.example.com' },
    { baseUrl: 'https://mt5.example.com/api' },
    { baseUrl: 'https://mt5.example.com/?x=1' },
    { managerLogin: 'ten' },
    { managerPassword: '' },
    { timeZone: 'Mars/Olympus' },
    { agent: 'two words' },
    { caPem: 'not a certificate' },
    { pingEveryMs: 181_000 },
    { callsPerSecond: 0 },
    { leverage: { min: 100, max: 10 } },
    { unheardOf: true },
  ]
  for (const change of wrong) {
    const result = platformSettings('mt5').safeParse({ ...settings, ...change })
    assert.equal(result?.success, false, JSON.stringify(change))
    assert.ok(!JSON.stringify(result?.error).includes('secret-word'))
  }
})

test('requires an address and a token for a bridge', async () => {
  const bridge = { baseUrl: 'https://mt4-bridge.example.com', token: 'a-token-of-some-length' }
  const form = platformSettings('mt4')
  assert.deepEqual(form.parse(bridge), {
    ...bridge,
    allowPlainHttp: false,
    deadlines: { connectMs: 10_000, readMs: 15_000, writeMs: 30_000 },
    backOff: { firstMs: 1_000, maxMs: 60_000 },
    callsPerSecond: 20,
    callsAtOnce: 4,
  })
  await connectPlatform('mt4', bridge).close()
  const wrong = [
    { baseUrl: 'http://mt4-bridge.example.com' },
    { baseUrl: 'https://mt4-bridge.example.com/v1' },
    { token: 'short' },
    { token: 'a token of some length' },
    { callsAtOnce: 0 },
    { unheardOf: true },
  ]
  for (const change of wrong) {
    const result = form.safeParse({ ...bridge, ...change })
    assert.equal(result.success, false, JSON.stringify(change))
    assert.ok(!JSON.stringify(result.error).includes(bridge.token))
  }
})
