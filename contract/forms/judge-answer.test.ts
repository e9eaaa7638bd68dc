// spec: AO 3, AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import { checkAnswers } from './answers.ts'
import { formDefinition } from './checked-definition.ts'
import type { FieldConfig, FieldType } from './definition.ts'

const today = '2026-11-22'
const id = 'b2a1c7de-0c1c-4f0e-9d43-4b7c2f3a9e10'
const otherId = '00000000-0000-4000-8000-000000000001'
const gap = 'This is a required field'
const gaps = 'Please fill all the required fields.'

type Taken = [type: FieldType, entered: unknown, config?: FieldConfig, accepted?: unknown]
const taken: Taken[] = [
  ['hidden', 'from the page'],
  ['hidden', 'something else', { default: 'as the form says' }, 'as the form says'],
  ['text', ' as it was typed '],
  ['text', '<script>alert(1)</script>'],
  ['textarea', 'two\nlines'],
  ['number', '42', { min: '42', max: '42' }],
  ['number', ' -7 ', {}, '-7'],
  ['number', '١٢', {}, '12'],
  ['decimal', '12,50', {}, '12.50'],
  ['decimal', '1.000,00', { decimals: 2 }, '1000.00'],
  ['decimal', '0.30', { min: '0.3', max: '0.3', decimals: 2 }],
  ['decimal', '99999999999999999999.999999999999999999'],
  ['date', '2026-11-22', { min_date: 'today', max_date: 'today' }],
  ['date', '2008-11-22', { max_date: 'today-18y' }],
  ['time', '00:00'],
  ['time', '23:30'],
  ['date_range', { from: '2026-01-01', to: '2026-01-01' }],
  ['select', 'b'],
  ['searchable_select', 'c'],
  ['multi_select', ['c', 'a'], { count_min: 2, count_max: 2 }, ['a', 'c']],
  ['radio', 'a'],
  ['checkbox', true],
  ['checkbox', false],
  ['checkbox', undefined, {}, false],
  ['checkbox_group', ['b']],
  ['yes_no', 'no'],
  ['scale', 'a'],
  ['email', ' member@harbour.example ', {}, 'member@harbour.example'],
  ['phone', '\u202d+47\u00a022/00.00.00\u202c', {}, '+4722000000'],
  ['country', 'NO'],
  ['currency', 'EUR'],
  ['iban', 'gb82 west 1234 5698 7654 32', {}, 'GB82WEST12345698765432'],
  ['bic', 'deutdeff', {}, 'DEUTDEFF'],
  ['link', 'harbour.example/help'],
  ['file', id],
  ['file', id.toUpperCase(), {}, id],
  ['files', [id, otherId]],
  ['signature', id],
  ['trading_account', id],
  ['bank_account', id],
  ['consent', true, { required: true }],
  // Encodings of HTML forms and PHP.
  ['consent', 'true', { required: true }, true],
  ['checkbox', 'on', {}, true],
  ['checkbox', '1', {}, true],
  ['checkbox', '0', {}, false],
  ['multi_select', 'a', {}, ['a']],
  ['files', id, {}, [id]],
]

type Refused = [type: FieldType, entered: unknown, said: string, config?: FieldConfig]
const unaccepted = 'This value is not accepted.'
const choice = 'Choose one of the options offered.'
const refused: Refused[] = [
  ['text', 'abc', 'Use at most 2 characters.', { chars_max: 2 }],
  ['text', 'x'.repeat(501), 'Use at most 500 characters.'],
  ['text', 'x'.repeat(5_001), 'Use at most 500 characters.'],
  ['text', 'x'.repeat(5_001), 'Use at most 2 characters.', { chars_max: 2 }],
  ['textarea', 'x'.repeat(5_001), 'Use at most 5000 characters.'],
  ['text', 5, unaccepted],
  ['text', true, unaccepted],
  ['text', ['x'], unaccepted],
  ['text', { from: 'x' }, unaccepted],
  ['text', 'a\u0000b', 'This text contains a character that cannot be stored.'],
  ['text', 'a\ud800', 'This text contains a character that cannot be stored.'],
  ['hidden', 'x'.repeat(501), 'Use at most 500 characters.'],
  ['number', '1.5', 'Invalid number'],
  ['number', '1e3', 'Invalid number'],
  ['number', '1,5', 'Invalid number'],
  ['number', 5, unaccepted],
  ['number', '4', 'Enter a number of at least 5.', { min: '5' }],
  ['number', '6', 'Enter a number of at most 5.', { max: '5' }],
  ['decimal', '1,5,0', 'Invalid number'],
  ['decimal', '1,000', 'Invalid number'],
  ['decimal', '0.301', 'Use at most 2 decimals.', { decimals: 2 }],
  ['decimal', '0.299999999999999999', 'Enter a number of at least 0.3.', { min: '0.3' }],
  ['date', '2026-02-30', 'You have not given a correct date'],
  ['date', '22.11.2026', 'You have not given a correct date'],
  // The form passes an unreadable date on verbatim instead of the previous date.
  ['date', '12/55/2026', 'You have not given a correct date'],
  ['date', '5 March', 'You have not given a correct date'],
  ['date', '2026-11-21', 'Choose a date on or after 2026-11-22.', { min_date: 'today' }],
  ['date', '2008-11-23', 'Choose a date on or before 2008-11-22.', { max_date: 'today-18y' }],
  ['time', '09:15', 'Choose one of the times offered.'],
  ['time', '24:00', 'Choose one of the times offered.'],
  ['time', '9:00', 'Choose one of the times offered.'],
  ['date_range', { from: '2026-02-01', to: '2026-01-01' }, 'The range ends before it begins.'],
  ['date_range', { from: '2026-02-01' }, 'You have not given a correct date'],
  ['date_range', { from: '5 March', to: '' }, 'You have not given a correct date'],
  ['date_range', { from: '2026-02-01', to: '2/55/2026' }, 'You have not given a correct date'],
  ['date_range', { from: '2026-02-01', to: '2026-02-02', more: 1 }, unaccepted],
  ['date_range', '2026-02-01', unaccepted],
  [
    'date_range',
    { from: '2026-11-20', to: '2026-11-25' },
    'Choose a date on or before 2026-11-22.',
    { max_date: 'today' },
  ],
  ['select', 'z', choice],
  ['select', ['a'], unaccepted],
  ['radio', '__proto__', choice],
  ['multi_select', 'd', choice],
  ['multi_select', ['a', 'z'], choice],
  ['multi_select', ['a', 'a'], 'Value is duplicated.'],
  ['multi_select', ['a', 1], unaccepted],
  ['multi_select', ['a'], 'Please choose between 2 and 3 item(s)', { count_min: 2, count_max: 3 }],
  ['multi_select', ['a'], 'Please choose at least 2 item(s)', { count_min: 2 }],
  ['checkbox_group', ['a', 'b'], 'Please choose a maximum of 1 item(s)', { count_max: 1 }],
  ['checkbox', 'yes', unaccepted],
  ['checkbox', 1, unaccepted],
  ['consent', false, gap, { required: true }],
  ['consent', 'yes', unaccepted, { required: true }],
  ['consent', '0', gap, { required: true }],
  ['yes_no', 'perhaps', choice],
  ['yes_no', true, unaccepted],
  ['scale', '4', choice],
  ['email', 'member', 'You have not given a correct e-mail address'],
  ['phone', '12', 'Phone must be at least 5 numbers long'],
  ['phone', 'none', 'Incorrect phone number'],
  ['country', 'XX', choice],
  ['country', 'no', choice],
  ['currency', 'eur', choice],
  ['iban', 'GB82WEST12345698765433', 'Invalid IBAN number'],
  ['bic', 'DEUT', 'Invalid SWIFT / BIC'],
  ['link', 'javascript:alert(1)', 'Invalid link'],
  ['file', 'a file', unaccepted],
  ['file', [id], unaccepted],
  ['files', 'x', unaccepted],
  ['files', [id, id], 'Value is duplicated.'],
  ['files', [id, 'x'], unaccepted],
  ['signature', 'data:image/png;base64,AAAA', unaccepted],
  ['trading_account', '7', unaccepted],
  ['bank_account', {}, unaccepted],
]

const blanks: [FieldType, unknown][] = [
  ...(['text', 'number', 'date', 'select', 'email', 'iban', 'file', 'yes_no', 'trading_account'] as const).flatMap(
    (type): [FieldType, unknown][] => [
      [type, ''],
      [type, '  '],
      [type, null],
      [type, undefined],
    ],
  ),
  ['multi_select', []],
  ['files', null],
  ['date_range', { from: '', to: '' }],
  ['date_range', {}],
]

describe('a number with a comma', () => {
  const form = aForm([aField('decimal', 'sum'), aField('formula', 'twice', { config: { formula: '{sum} * 2' } })])
  const acceptedOf = (sum: string, language?: string) => {
    const checked = checkAnswers(form, { sum }, { today, ...(language && { language }) })
    return checked.ok ? [checked.accepted.sum, checked.accepted.twice] : checked.errors.sum
  }

  it('is parsed by the language of the member, in formulas too', () => {
    assert.deepEqual(acceptedOf('1.250,5', 'de'), ['1250.5', '2501'])
    assert.deepEqual(acceptedOf('1,000', 'en'), ['1000', '2000'])
    assert.deepEqual(acceptedOf('1,000', 'de'), ['1.000', '2'])
    assert.deepEqual(acceptedOf('100,50'), ['100.50', '201'])
  })

  it('is refused if it is ambiguous and the language is unknown', () => {
    assert.deepEqual(acceptedOf('1,000'), ['Invalid number'])
    assert.deepEqual(acceptedOf('1.000'), ['1.000', '2'], 'a decimal in wire format is accepted')
  })
})

describe('an answer, by the type of its field', () => {
  for (const [type, entered, config = {}, accepted = entered] of taken)
    it(`${type} accepts ${JSON.stringify(entered)?.slice(0, 60)}`, () => {
      const form = aForm([aField(type, 'field', { config })])
      assert.deepEqual(formDefinition.safeParse(form).error?.issues ?? [], [])
      const checked = checkAnswers(form, { field: entered }, { today })
      assert.deepEqual(checked, { ok: true, accepted: { field: accepted }, named: { field: accepted }, scores: null })
    })

  for (const [type, entered, said, config = {}] of refused)
    it(`${type} refuses ${JSON.stringify(entered).slice(0, 60)}`, () => {
      const checked = checkAnswers(aForm([aField(type, 'field', { config })]), { field: entered }, { today })
      assert.ok(!checked.ok)
      assert.ok(checked.errors.field?.includes(said), JSON.stringify(checked.errors))
    })

  for (const [type, entered] of blanks)
    it(`${type} treats ${JSON.stringify(entered)} as empty`, () => {
      const answers = { field: entered }
      const free = checkAnswers(aForm([aField(type, 'field')]), answers, { today })
      assert.deepEqual(free.ok && free.accepted, {})
      const demanded = checkAnswers(aForm([aField(type, 'field', { config: { required: true } })]), answers, { today })
      assert.deepEqual(demanded, { ok: false, errors: { field: [gap] }, step: 0, message: gaps })
    })

  it('display-only fields accept no answer', () => {
    for (const type of ['static_content', 'http_link', 'button'] as const) {
      const form = aForm([aField(type, 'field')])
      assert.equal(checkAnswers(form, {}, { today }).ok, true)
      const checked = checkAnswers(form, { field: 'x' }, { today })
      assert.deepEqual(!checked.ok && checked.errors, { field: ['This form has no such field.'] })
    }
  })
})
