// spec: AO 3, AO 9
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FormField } from '@atrium/contract/forms/definition.ts'
import { answerText, choicesOf, clockText, formDay, timeSlots } from './form-labels.ts'
import { rowsOf } from './form-rows.ts'

const field = (more: Partial<FormField>): FormField => ({
  name: 'Field',
  description: null,
  type: 'text',
  options: [],
  scores: {},
  row: 0,
  column: 0,
  config: {},
  input_name: 'field',
  ...more,
})
const nothing = { files: [], labels: {} }
const textOf = (of: FormField, value: unknown, named: Parameters<typeof answerText>[2] = nothing) =>
  answerText(of, value, named, (text) => text)

describe('times and days of a form', () => {
  it('offers half-hour slots in 24-hour or 12-hour format', () => {
    const slots = timeSlots()
    assert.equal(slots.length, 48)
    assert.deepEqual([slots[0]?.value, slots[1]?.value, slots.at(-1)?.value], ['00:00', '00:30', '23:30'])
    assert.equal(clockText('14:30', '24', 'en-GB'), '14:30')
    assert.match(clockText('14:30', '12', 'en-US'), /^2:30\sPM$/)
    assert.equal(clockText('later', '24', 'en-GB'), 'later')
  })

  it('uses the day of the reader’s time zone', () => {
    const at = Date.parse('2026-11-26T17:59:00Z')
    assert.deepEqual([formDay(at, 'UTC'), formDay(at, 'Pacific/Auckland')], ['2026-11-26', '2026-11-27'])
  })
})

describe('the options of a form field', () => {
  it('lists all countries by name, or only those of the form', () => {
    const all = choicesOf(field({ type: 'country' }), 'en')
    assert.equal(all.find(({ value }) => value === 'DE')?.label, 'Germany')
    assert.ok(all.length > 200)
    const some = choicesOf(field({ type: 'country', options: [{ value: 'MT', label: 'Malta' }] }), 'en')
    assert.deepEqual(some, [{ value: 'MT', label: 'Malta' }])
    assert.match(choicesOf(field({ type: 'currency' }), 'en').find(({ value }) => value === 'EUR')?.label ?? '', /Euro/)
  })
})

describe('an answer', () => {
  it('is formatted as text', () => {
    const options = [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second' },
    ]
    assert.equal(textOf(field({ type: 'select', options }), 'b'), 'Second')
    assert.match(textOf(field({ type: 'multi_select', options }), ['a', 'b']) ?? '', /First.*Second/)
    assert.equal(textOf(field({ type: 'consent' }), true), 'Yes')
    assert.equal(textOf(field({ type: 'yes_no' }), 'no'), 'No')
    assert.equal(textOf(field({}), ' as written '), ' as written ')
    assert.equal(textOf(field({}), undefined), null)
    assert.equal(textOf(field({ type: 'multi_select', options }), []), null)
    assert.match(textOf(field({ type: 'date_range' }), { from: '2026-01-01', to: '2026-02-01' }) ?? '', /2026.*–.*2026/)
  })

  it('shows the name for an id, and a message for a deleted file', () => {
    const labels = { id: 'Account #1001' }
    assert.equal(textOf(field({ type: 'trading_account' }), 'id', { files: [], labels }), 'Account #1001')
    const files = [{ _id: 'id', name: 'bill.pdf' }]
    assert.equal(textOf(field({ type: 'file' }), 'id', { files, labels: {} }), 'bill.pdf')
    assert.equal(textOf(field({ type: 'file' }), 'id'), 'This file no longer exists.')
  })
})

describe('rows of a form', () => {
  it('are ordered and divided into twelve columns', () => {
    const rows = rowsOf([
      field({ input_name: 'last', row: 4 }),
      field({ input_name: 'right', row: 1, column: 3 }),
      field({ input_name: 'left', row: 1, column: 0, config: { width: 8 } }),
      field({ input_name: 'secret', row: 1, column: 1, type: 'hidden' }),
    ])
    const shape = rows.map(({ cells }) => cells.map((cell) => [cell.field.input_name, cell.span]))
    assert.deepEqual(shape, [
      [
        ['left', 8],
        ['right', 4],
      ],
      [['last', 12]],
    ])
  })

  it('give each field between one and twelve columns', () => {
    const crowded = Array.from({ length: 3 }, (_, column) =>
      field({ input_name: `f${column}`, column, config: { width: 12 } }),
    )
    const [row] = rowsOf([...crowded, field({ input_name: 'rest', column: 4 })])
    assert.deepEqual(
      row?.cells.map(({ span }) => span),
      [12, 12, 12, 1],
    )
  })
})
