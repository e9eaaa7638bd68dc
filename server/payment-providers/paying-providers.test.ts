import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { payingProviders } from '@atrium/contract/payments/payouts.ts'
import { findAdapter } from './registry.ts'

test('the settings offer exactly the providers with payouts', () => {
  const names = readdirSync(new URL('.', import.meta.url), { withFileTypes: true }).filter((each) => each.isDirectory())
  const paying = names.map(({ name }) => name).filter((name) => findAdapter(name)?.payout)
  assert.deepEqual([...payingProviders].sort(), paying.sort())
})
