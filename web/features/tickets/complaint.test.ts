// spec: MP 5
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { checkComplaint } from './complaint.ts'
import { readTicketsSearch, writeTicketsSearch } from './tickets-search.ts'

it('requires a subject and a description for a complaint', () => {
  assert.deepEqual(checkComplaint({ subject: ' ', description: '' }), {
    subject: [validatorTexts.required],
    description: [validatorTexts.required],
  })
  assert.deepEqual(checkComplaint({ subject: 'a', description: 'b' }), {})
})

it('reads tab, page and search from the address, and omits invalid values', () => {
  const plain = { id: undefined, tab: 'open', q: '', page: 1 }
  for (const nonsense of [{}, { tab: 'none', page: -1 }, { page: 1.5, q: {} }, { id: 7, page: 'x' }, { page: 1e9 }])
    assert.deepEqual(readTicketsSearch(nonsense), plain)
  const asked = { id: 'a', tab: 'closed', q: '1001', page: 3 } as const
  assert.deepEqual(readTicketsSearch(writeTicketsSearch(asked)), asked)
  assert.deepEqual(readTicketsSearch({ q: 1001 }).q, '1001')
  assert.deepEqual(writeTicketsSearch(readTicketsSearch({})), {})
})
