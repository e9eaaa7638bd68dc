// spec: MP 2.4, MP 4, MP 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limits } from '@atrium/contract/limits.ts'
import { blockOf } from './eligibility.ts'
import type { TradingConfiguration } from './use-trading-configuration.ts'

const rule = { enabled: true, account_limit: 2, require_kyc: true }
const platform = (...groups: { name: string; kind: 'live' | 'demo' }[]) => ({
  id: '0190a0b0-0000-7000-8000-000000000001',
  name: 'Harbour MT5',
  type: 'mt5',
  password_policy: null,
  groups: groups.map((group) => ({ ...group, alias: group.name })),
})
const configuration: TradingConfiguration = {
  platforms: [platform({ name: 'real', kind: 'live' }, { name: 'demo', kind: 'demo' })],
  acc_creation_live_configuration: rule,
  acc_creation_demo_configuration: { ...rule, require_kyc: false },
  leverage: [100],
  default_bank_accounts_for_clients: [],
  demo_deposit_daily: '100000',
}
const member = { documents_status: 'approved', accounts_live_count: 1, accounts_demo_count: 1 }

describe('the form to open an account', () => {
  it('is shown with approved documents, below the limit', () => {
    assert.equal(blockOf(configuration, 'live', member), null)
  })

  it('is hidden until the documents are approved, if the brokerage requires them', () => {
    const waiting = { ...member, documents_status: 'in_verification' }
    assert.deepEqual([blockOf(configuration, 'live', waiting), blockOf(configuration, 'demo', waiting)], ['kyc', null])
  })

  it('is hidden at the limit: live and demo accounts are counted separately, and -1 means no limit', () => {
    const full = { ...member, accounts_live_count: 2 }
    assert.deepEqual([blockOf(configuration, 'live', full), blockOf(configuration, 'demo', full)], ['limit', null])
    const unlimited = {
      ...configuration,
      acc_creation_live_configuration: { ...rule, account_limit: limits.accountsUnlimited },
    }
    assert.equal(blockOf(unlimited, 'live', { ...member, accounts_live_count: 99 }), null)
  })

  it('is shown while only archived accounts are above the limit', () => {
    const archived = { ...member, accounts_live_count: 9, counted: { live: 1, demo: 2 } }
    assert.deepEqual(
      [blockOf(configuration, 'live', archived), blockOf(configuration, 'demo', archived)],
      [null, 'limit'],
    )
  })

  it('is hidden when opening is switched off, or when no platform offers a group of this kind', () => {
    const off = { ...configuration, acc_creation_live_configuration: { ...rule, enabled: false } }
    assert.equal(blockOf(off, 'live', member), 'disabled')
    const onlyDemo = { ...configuration, platforms: [platform({ name: 'demo', kind: 'demo' })] }
    assert.equal(blockOf(onlyDemo, 'live', member), 'no-groups')
    const onlyManagers = { ...configuration, platforms: [platform({ name: limits.groupNeverOffered, kind: 'live' })] }
    assert.equal(blockOf(onlyManagers, 'live', member), 'no-groups')
    assert.equal(blockOf({ ...configuration, platforms: [] }, 'demo', member), 'no-groups')
  })
})
