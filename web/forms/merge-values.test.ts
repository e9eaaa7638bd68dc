// spec: DK workspace
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { begunAfter, mergeValues } from './merge-values.ts'

it('keeps local changes and takes all other remote values', () => {
  const begun = { name: 'Old', accent: '#111111', vendors: ['A'] }
  const mine = { name: 'Mine', accent: '#111111', vendors: ['A'] }
  const theirs = { name: 'Theirs', accent: '#222222', vendors: ['A'] }
  assert.deepEqual(mergeValues(begun, mine, theirs), {
    values: { name: 'Mine', accent: '#222222', vendors: ['A'] },
    changedElsewhere: ['name', 'accent'],
  })
})

it('keeps a switch that a colleague turned beside the one that I turned', () => {
  const begun = { features: { deposits: true, withdraw: true }, default_permissions: ['support-'] }
  const mine = { features: { deposits: false, withdraw: true }, default_permissions: ['support-', 'deposit-'] }
  const theirs = { features: { deposits: true, withdraw: false }, default_permissions: ['withdraw-'] }
  assert.deepEqual(mergeValues(begun, mine, theirs), {
    values: { features: { deposits: false, withdraw: false }, default_permissions: ['deposit-', 'withdraw-'] },
    changedElsewhere: ['features', 'default_permissions'],
  })
})

it('keeps the order that I gave to a list, and whole rows that both changed as I have them', () => {
  const rule = (fee: string) => ({ rules: [{ fee }] })
  assert.deepEqual(mergeValues(rule('0'), rule('1'), rule('2')).values, rule('1'))
  const list = (...names: string[]) => ({ names })
  assert.deepEqual(mergeValues(list('A', 'B'), list('B', 'A'), list('A', 'B', 'C')).values, list('B', 'A', 'C'))
})

it('keeps the rows that a colleague changed beside those that I changed', () => {
  const at = (usd: string, eur: string) => [
    { currency: 'USD', above: usd },
    { currency: 'EUR', above: eur },
  ]
  const merged = mergeValues({ above: at('1', '1') }, { above: at('2', '1') }, { above: at('1', '3') })
  assert.deepEqual(merged.values, { above: at('2', '3') })
  const topics = (name: string, ...more: object[]) => [{ key: 'a', name, archived: false }, ...more]
  const lists = (ticket: object[], document: object[]) => ({
    taxonomies: [
      { entity: 'ticket', entries: ticket },
      { entity: 'document', entries: document },
    ],
  })
  const own = { key: null, name: 'Fees', archived: false }
  const theirs = { key: 'b', name: 'Bonus', archived: false }
  assert.deepEqual(
    mergeValues(lists(topics('Old'), []), lists(topics('Old', own), []), lists(topics('New', theirs), topics('ID')))
      .values,
    lists(topics('New', own, theirs), topics('ID')),
  )
})

it('drops a row that a colleague removed, unless I changed it', () => {
  const vendors = (...rows: [vendor: string, name: string][]) => ({
    vendor_settings: rows.map(([vendor, name]) => ({ vendor, name })),
  })
  const begun = vendors(['A', 'a'], ['B', 'b'])
  assert.deepEqual(mergeValues(begun, vendors(['A', 'x'], ['B', 'b']), vendors(['A', 'a'])).values, vendors(['A', 'x']))
  assert.deepEqual(
    mergeValues(begun, vendors(['A', 'a'], ['B', 'x']), vendors(['A', 'y'])).values,
    vendors(['A', 'y'], ['B', 'x']),
  )
})

it('tells rules apart by method and currency', () => {
  const rules = (...all: [method: string, maximum: string | null, enabled?: boolean][]) => ({
    withdrawal_rules: all.map(([method, maximum, enabled = true]) => ({ method, currency: '*', maximum, enabled })),
  })
  assert.deepEqual(
    mergeValues(rules(), rules(['crypto', null]), rules(['bank', '500'])).values,
    rules(['crypto', null], ['bank', '500']),
  )
  const begun = rules(['bank', null], ['crypto', null])
  assert.deepEqual(
    mergeValues(begun, rules(['bank', '100'], ['crypto', null]), rules(['bank', null], ['crypto', '500'])).values,
    rules(['bank', '100'], ['crypto', '500']),
  )
  assert.deepEqual(
    mergeValues(rules(['bank', null]), rules(['crypto', null]), rules(['bank', null, false])).values,
    rules(['crypto', null]),
  )
})

it('a save without an answer counts only where its values are stored', () => {
  const begun = { name: 'Old', features: { deposits: true, withdraw: true }, vendors: ['A'], rows: [{ _id: 'a' }] }
  const lost = {
    name: 'Mine',
    features: { deposits: false, withdraw: true },
    vendors: ['A', 'B'],
    rows: [{ _id: 'a' }, { _id: null }],
  }
  const theirs = { ...begun, features: { deposits: true, withdraw: false } }
  assert.deepEqual(begunAfter(lost, begun, theirs), begun)
  const stored = { ...lost, name: 'Theirs', rows: [{ _id: 'a' }, { _id: 'b' }] }
  assert.deepEqual(begunAfter(lost, begun, stored), { ...lost, name: 'Old' })
})
