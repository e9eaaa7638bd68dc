import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepViews, viewOf, type WatchedRow } from './live-view.ts'

const now = new Date('2026-03-01T12:00:00Z')
const clock = { now: () => now }

const row: WatchedRow = {
  account_id: '00000000-0000-4000-8000-000000000001',
  member_id: '00000000-0000-4000-8000-000000000002',
  platform_id: '00000000-0000-4000-8000-000000000003',
  platform_login: '700123',
  platform_registered_at: null,
  currency: 'USD',
  leverage: 100,
  synced_at: now,
  balance: '1000',
  equity: '1000',
  credit: '0',
  floating: null,
  margin: '0',
  margin_free: '1000',
  margin_level: null,
  archived: false,
  asked_at: null,
  asked_by: null,
}

it('shows an account as it is in this reading, whatever the last one was', () => {
  const views = keepViews(clock)
  const changes: Partial<WatchedRow>[] = [
    {},
    { balance: '1000.5' },
    { equity: '999' },
    { credit: '1' },
    { floating: '-1' },
    { margin: '2' },
    { margin_free: null },
    { margin_level: '120' },
    { leverage: 200 },
    { currency: 'JPY' },
    { synced_at: null },
    { synced_at: new Date(now.getTime() - 3_600_000) },
    {},
  ]
  const serialized = changes.map((change) => {
    const read = { ...row, ...change }
    const { account, serialized } = views.ofRow(read)
    assert.deepEqual(account, viewOf(read, clock))
    return serialized
  })
  // Every change but the reading time alone is an event.
  assert.equal(new Set(serialized.slice(0, -1)).size, changes.length - 2)
  assert.equal(serialized.at(-1), serialized[0])
})

it('does not mix up two accounts', () => {
  const views = keepViews(clock)
  const other = { ...row, account_id: '00000000-0000-4000-8000-000000000009' }
  assert.notEqual(views.ofRow(row).serialized, views.ofRow(other).serialized)
  assert.equal(views.ofRow(other).account._id, other.account_id)
})
