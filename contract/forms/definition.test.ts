// spec: AO 3
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { aField, aForm, formOf } from '../../tests/fixtures/form-definitions.ts'
import { formDefinition } from './checked-definition.ts'
import { type FieldType, type FormDefinition, type FormField, fieldTypes, isInputName } from './definition.ts'
import { settingsOf } from './field-settings.ts'
import { formLimits } from './form-limits.ts'
import { type Rule, ruleOperators } from './rules.ts'

const saysOf = (definition: unknown): string[] =>
  (formDefinition.safeParse(definition).error?.issues ?? []).map(({ message }) => message)

const refuses = (definition: unknown, sentence?: RegExp) => {
  const said = saysOf(definition)
  assert.ok(said.length > 0, 'was taken')
  if (sentence) assert.match(said.join('\n'), sentence)
}

describe('a form definition', () => {
  for (const type of fieldTypes)
    it(`accepts a field of type ${type}`, () => assert.deepEqual(saysOf(aForm([aField(type, 'field')])), []))

  it('survives a JSON round trip', () => {
    const form = aForm(
      fieldTypes.map((type) => aField(type, `a_${type}`)),
      {
        show_conditions: { a_text: { '!!': { var: 'a_email' } } },
        result_bands: [{ from: 0, to: 9, name: 'Low', text: '' }],
      },
    )
    assert.deepEqual(formDefinition.parse(JSON.parse(JSON.stringify(form))), form)
    const { result_bands: _, ...withoutBands } = aForm([])
    assert.deepEqual(formDefinition.parse(withoutBands), aForm([]))
  })

  it('accepts the example of the documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/developers/forms-json.md'), 'utf8')
    const [, example = ''] = /```json\n([^`]+)```/.exec(page) ?? []
    assert.deepEqual(saysOf(JSON.parse(example)), [])
    for (const word of [...fieldTypes, ...Object.keys(ruleOperators)]) assert.ok(page.includes(`\`${word}\``), word)
    for (const type of fieldTypes)
      for (const setting of settingsOf(type)) assert.ok(page.includes(`\`${setting}\``), setting)
  })

  it('refuses values that are not a form', () => {
    for (const value of [
      null,
      [],
      '',
      1,
      {},
      { steps: [] },
      { ...aForm([]), more: true },
      { ...aForm([]), steps: [{}] },
    ])
      refuses(value)
  })
})

describe('the check of input names', () => {
  for (const name of ['a', 'first_name', 'a1', 'x'.repeat(60)])
    it(`accepts ${name}`, () => assert.ok(isInputName(name)))
  const wrong = ['', '1a', '_a', 'A', 'a-b', 'a.b', 'a b', '__proto__', 'constructor', 'ä', 'x'.repeat(61), 'a\n']
  for (const name of wrong)
    it(`refuses ${JSON.stringify(name)}`, () => {
      assert.equal(isInputName(name), false)
      refuses(aForm([aField('text', name)]))
      const withRule = aForm([aField('text', 'a')], { show_conditions: JSON.parse(`{${JSON.stringify(name)}: true}`) })
      // Zod drops the key __proto__ while parsing.
      if (name === '__proto__') assert.deepEqual(formDefinition.parse(withRule).show_conditions, {})
      else refuses(withRule)
    })

  it('refuses duplicates', () => {
    refuses(formOf([[aField('text', 'same')], [aField('text', 'same')]]), /used twice/)
    const steps = formOf([[], []]).steps.map((step) => ({ ...step, _id: 'one' }))
    refuses({ ...aForm([]), steps }, /same id/)
  })
})

describe('the check of field settings', () => {
  const wrong: [FieldType, Partial<FormField> & { options?: never }, RegExp?][] = [
    ['text', { config: { html: '<p>x</p>' } }, /no setting "html"/],
    ['text', { config: { min: '1' } }, /no setting "min"/],
    ['yes_no', { config: { chars_max: 5 } }, /no setting/],
    ['static_content', { config: { html: '<script>alert(1)</script>' } }, /plain elements/],
    ['static_content', { config: { html: '<a href="javascript:alert(1)">x</a>' } }, /plain elements/],
    ['http_link', { config: { href: 'javascript:alert(1)' } }, /link in a form/],
    ['http_link', { config: { href: 'data:text/html,x' } }],
    ['http_link', { config: { href: 'http://harbour.example' } }],
    ['http_link', { config: { href: '//evil.example' } }],
    ['number', { config: { min: '5', max: '1' } }, /must not be more/],
    ['number', { config: { min: 'five' } }],
    ['number', { config: { min: 'five', max: 'six' } }],
    ['number', { config: { min: 'five', default: '5' } }],
    ['number', { config: { default: 'five' } }, /own default/],
    ['decimal', { config: { decimals: 19 } }],
    ['date', { config: { min_date: '2026-02-30' } }],
    ['date', { config: { min_date: 'today-18' } }],
    ['date', { config: { min_date: '2026-02-02', max_date: '2026-02-01' } }, /must not be more/],
    ['multi_select', { config: { count_min: 3, count_max: 2 } }, /must not be more/],
    ['select', { config: { default: 'z' } }, /own default/],
    ['yes_no', { config: { default: true } }, /own default/],
    ['text', { config: { chars_max: 0 } }],
    ['formula', { config: { formula: '1 +' } }],
    ['formula', { config: { formula: '{absent} + 1' } }, /not a numeric field/],
    ['file', { config: { size_kb_max: 1_000_000 } }],
    ['file', { config: { file_types: ['exe' as 'pdf'] } }],
    ['text', { scores: { a: 1 } }, /scores belong/],
    ['select', { scores: { z: 1 } }, /scores belong/],
    ['yes_no', { scores: { perhaps: 1 } }, /scores belong/],
    ['checkbox', { scores: { yes: 1 } }, /scores belong/],
    ['select', { scores: { a: 1.5 } }],
    ['text', { row: -1 }],
    ['text', { column: 12 }],
    ['text', { name: ' ' }],
    ['text', { name: 'two\nlines' }, /cannot be stored/],
    ['text', { description: 'a\u0000b' }, /cannot be stored/],
    ['text', { config: { help: 'a\ud800' } }, /cannot be stored/],
    ['text', { config: { placeholder: 'a\u0000' } }, /cannot be stored/],
    ['text', { config: { default: 'a\u0000' } }, /own default/],
    ['static_content', { config: { html: 'a\ud800' } }, /plain elements/],
    ['hidden', { config: { default: 'x'.repeat(501) } }, /own default/],
    ['number', { config: { default: '9', max: '5' } }, /own default/],
    ['email', { config: { default: 'member' } }, /own default/],
  ]
  for (const [type, more, sentence] of wrong)
    it(`refuses ${type} with ${JSON.stringify(more).slice(0, 70)}`, () =>
      refuses(aForm([aField(type, 'field', more)]), sentence))

  it('requires the settings that a field type needs', () => {
    for (const type of ['static_content', 'http_link', 'button', 'formula'] as const)
      refuses(aForm([{ ...aField(type, 'field'), config: {} }]), /is missing/)
    for (const type of ['select', 'searchable_select', 'multi_select', 'radio', 'checkbox_group', 'scale'] as const)
      refuses(aForm([aField(type, 'field', { options: [] })]), /needs options/)
    refuses(aForm([aField('text', 'field', { options: ['a'] })]), /no such options/)
    refuses(aForm([aField('yes_no', 'field', { options: ['yes', 'no'] })]), /no such options/)
    refuses(aForm([aField('select', 'field', { options: ['a', 'a'] })]), /listed twice/)
    refuses(aForm([aField('country', 'field', { options: ['NO', 'XX'] })]), /no such options/)
    assert.deepEqual(saysOf(aForm([aField('country', 'field', { options: ['NO', 'SE'] })])), [])
    assert.deepEqual(saysOf(aForm([aField('checkbox', 'field', { scores: { true: 2 } })])), [])
  })

  it('allows only numbers in a formula', () => {
    const formula = aField('formula', 'total', { config: { formula: '{part} * 2' } })
    for (const type of ['number', 'decimal', 'select', 'radio', 'scale', 'checkbox', 'yes_no', 'hidden'] as const)
      assert.deepEqual(saysOf(aForm([aField(type, 'part'), formula])), [], type)
    for (const type of ['text', 'date', 'multi_select', 'country', 'file', 'static_content'] as const)
      refuses(aForm([aField(type, 'part'), formula]), /not a numeric field/)
  })
})

describe('the check of conditions', () => {
  const fields = [aField('yes_no', 'a'), aField('text', 'b'), aField('text', 'c'), aField('static_content', 'd')]
  const on = (name: string): Rule => ({ '!!': { var: name } })
  const withShow = (show_conditions: FormDefinition['show_conditions']) => aForm(fields, { show_conditions })

  it('accepts references to fields of the form that have answers', () => {
    assert.deepEqual(saysOf(withShow({ d: on('c'), c: on('b'), b: on('a') })), [])
    refuses(withShow({ b: on('x') }), /not a field of this form with an answer/)
    refuses(withShow({ b: on('d') }), /not a field of this form with an answer/)
    refuses(withShow({ b: { missing: ['x'] } }), /not a field of this form/)
    refuses(withShow({ x: on('a') }), /a condition for x/)
  })

  it('refuses circular references', () => {
    refuses(withShow({ b: on('b') }), /b → b/)
    refuses(withShow({ a: on('c'), b: on('a'), c: on('b') }), /circle: a → c → b → a/)
    const sum = aField('formula', 'sum', { config: { formula: '{part} + 1' } })
    const part = aField('number', 'part')
    assert.deepEqual(saysOf(aForm([sum, part], { show_conditions: { sum: on('part') } })), [])
    refuses(aForm([sum, part], { show_conditions: { part: { '>': [{ var: 'sum' }, 3] } } }), /circle/)
    refuses(aForm([aField('formula', 'sum', { config: { formula: '{sum} + 1' } })]), /circle: sum → sum/)
  })

  it('refuses invalid rules', () => {
    for (const rule of [{ eval: ['1'] }, { '==': [1] }, { a: 1, b: 2 }, { var: { var: 'a' } }] as unknown as Rule[])
      refuses(withShow({ b: rule }), /cannot be read/)
    refuses(withShow({ b: { '==': [{ var: 'a' }, '\u0000'] } }), /cannot be read/)
  })

  it('refuses a name that another field has', () => {
    const withNames = (input_name_conditions: FormDefinition['input_name_conditions']) =>
      aForm(fields, { input_name_conditions })
    assert.deepEqual(saysOf(withNames({ b: { shared: on('a') }, c: { shared: { '!': { var: 'a' } } } })), [])
    refuses(withNames({ b: { c: true } }), /belongs to a field/)
    refuses(withNames({ x: { y: true } }), /a condition for x/)
    refuses(withNames({ b: { y: on('x') } }), /not a field of this form/)
    refuses(withNames({ b: { Constructor: true } }))
    refuses(withNames({ b: { constructor: true } }))
  })
})

describe('the check of limits', () => {
  it('counts steps, fields and options', () => {
    refuses(formOf(Array.from({ length: formLimits.stepsMax + 1 }, () => [])))
    const many = (count: number, from = 0) => Array.from({ length: count }, (_, at) => aField('text', `f${from + at}`))
    assert.deepEqual(saysOf(aForm(many(formLimits.fieldsMax))), [])
    refuses(formOf([many(formLimits.fieldsMax), many(1, formLimits.fieldsMax)]), /at most 300 fields/)
    const options = Array.from({ length: formLimits.optionsMax + 1 }, (_, at) => `${at}`)
    assert.deepEqual(saysOf(aForm([aField('select', 'field', { options: options.slice(1) })])), [])
    refuses(aForm([aField('select', 'field', { options })]))
  })

  it('refuses overlapping bands', () => {
    const band = (from: number, to: number) => ({ from, to, name: 'Band', text: '' })
    assert.deepEqual(saysOf(aForm([], { result_bands: [band(5, 9), band(-1, 4)] })), [])
    refuses(aForm([], { result_bands: [band(0, 5), band(5, 9)] }), /overlap/)
    refuses(aForm([], { result_bands: [band(5, 0)] }), /overlap/)
  })
})
