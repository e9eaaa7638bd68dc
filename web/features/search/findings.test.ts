// spec: MP 2.2
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FindingGroup, findPages, readGroups, type SearchablePage, stillMatching } from './findings.ts'
import { recentOf, rememberFinding } from './recent.ts'

const icon = (() => null) as unknown as SearchablePage['icon']
const pages: SearchablePage[] = [
  { to: '/accounts', label: 'Accounts', icon },
  { to: '/funds/deposit', label: 'Deposit', keywords: ['fund', 'transfer'], icon },
]

describe('the search results', () => {
  const titles = (query: string) => findPages(query, pages).map(({ title }) => title)
  it('list every page until something is typed, then the pages with a matching word prefix', () => {
    assert.deepEqual(titles(' '), ['Accounts', 'Deposit'])
    assert.deepEqual(titles('acc'), ['Accounts'])
    assert.deepEqual(titles('TRANS'), ['Deposit'])
    assert.deepEqual(titles('ccount'), [])
  })

  it('link to the record that was found', () => {
    const _id = '0190a0b0-0000-7000-8000-000000000001'
    const [accounts, transactions] = readGroups({
      status: 'ok',
      groups: [
        { name: 'accounts', hits: [{ _id, title: '#700123', facts: ['USD'] }] },
        { name: 'transactions', hits: [{ _id, title: '1014', facts: [] }] },
      ],
    }) as [FindingGroup, FindingGroup]
    assert.deepEqual([accounts.label, accounts.findings[0]?.to], ['Accounts', `/accounts/${_id}`])
    assert.equal(transactions.findings[0]?.to, `/funds/transactions?ticket=1014&open=${_id}`)
    assert.notEqual(accounts.findings[0]?.id, transactions.findings[0]?.id)
  })

  it('keep those of an earlier query only where they match the typed one', () => {
    const finding = (title: string, facts: string[]) => ({ id: title, to: '/', title, facts, icon })
    const groups = [
      { label: 'Accounts', findings: [finding('#700123', ['USD', 'Live']), finding('#700207', ['EUR', 'Live'])] },
      { label: 'Tickets', findings: [finding('T-7001', ['Open'])] },
    ]
    const titles = (query: string) =>
      stillMatching(groups, query).map(({ label, findings }) => [label, ...findings.map(({ title }) => title)])
    assert.deepEqual(titles('7001'), [
      ['Accounts', '#700123'],
      ['Tickets', 'T-7001'],
    ])
    assert.deepEqual(titles('7002 live'), [['Accounts', '#700207']])
    assert.deepEqual(titles('8'), [])
  })
})

it('remembers what the same member opened before, newest first and without duplicates', () => {
  const finding = (id: string) => ({ id, to: `/${id}`, title: id, facts: [] })
  for (const id of ['a', 'b', 'c', 'a', 'd', 'e', 'f']) rememberFinding('mara', finding(id))
  assert.deepEqual(
    recentOf('mara').map(({ id }) => id),
    ['f', 'e', 'd', 'a', 'c'],
  )
  assert.deepEqual(recentOf('noel'), [])
  rememberFinding('noel', finding('z'))
  assert.deepEqual(recentOf('mara'), [])
})
