// spec: MP 5
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { validatorTexts } from '@atrium/contract/validators/messages.ts'
import { readListSearch } from '../../ui/lists/list-address.ts'
import { checkComplaint } from './complaint.ts'
import { ticketsList } from './tickets-list.ts'

it('requires a subject and a description for a complaint', () => {
  assert.deepEqual(checkComplaint({ subject: ' ', description: '' }), {
    subject: [validatorTexts.required],
    description: [validatorTexts.required],
  })
  assert.deepEqual(checkComplaint({ subject: 'a', description: 'b' }), {})
})

it('reads tab, page and search from the address, and omits invalid values', () => {
  const read = (search: Record<string, unknown>) => readListSearch(ticketsList, search)
  for (const nonsense of [{}, { tab: 'none', page: -1 }, { page: 1.5, q: {} }, { id: 7, page: 'x' }, { page: 1e9 }])
    assert.deepEqual(read(nonsense), {})
  const asked = { tab: 'closed', q: '1001', page: 3 } as const
  assert.deepEqual(read(asked), asked)
  assert.deepEqual(read({ q: 1001, tab: 'open' }), { q: '1001' })
})
