// spec: DK forms
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { dependentsOf, freshName, nameOfWords } from '../form-names.ts'
import { findField, moveField, nudgeField, rowsOf } from '../form-places.ts'
import * as edit from './form-edit.ts'

const field = (input_name: string, row: number, column: number, more: Partial<FormField> = {}): FormField => ({
  name: input_name,
  description: null,
  type: 'text',
  options: [],
  scores: {},
  row,
  column,
  config: {},
  input_name,
  ...more,
})

/** Step one: a b / c; step two: d. The condition of b refers to a, and the formula d refers to a and c. */
const form = (): FormDefinition => ({
  steps: [
    { _id: 'one', name: 'One', fields: [field('a', 0, 0), field('b', 0, 1), field('c', 1, 0)] },
    { _id: 'two', name: 'Two', fields: [field('d', 0, 0, { type: 'formula', config: { formula: '{a} + c*a2' } })] },
  ],
  show_conditions: { b: { and: [{ '==': [{ var: 'a' }, 'a'] }, { '!': { var: ['c', 'a'] } }] } },
  input_name_conditions: { c: { other: { in: [{ var: 'a' }, ['a']] } } },
  result_bands: [],
})

/** A form as text: rows separated by |, steps by /. */
const readOf = ({ steps }: FormDefinition) =>
  steps
    .map((step) =>
      rowsOf(step)
        .map((fields) => fields.map(({ input_name }) => input_name).join(' '))
        .join(' | '),
    )
    .join(' / ')

const areDense = ({ steps }: FormDefinition) =>
  steps.every((step) =>
    rowsOf(step).every((fields, row) => fields.every((each, column) => each.row === row && each.column === column)),
  )

const present = <Value>(value: Value | null): Value => {
  assert.ok(value !== null)
  return value
}

describe('moving a field', () => {
  const cases: [string, Parameters<typeof moveField>[2], string | null][] = [
    ['a', { stepId: 'one', row: 0, column: 2 }, 'b a | c / d'],
    ['b', { stepId: 'one', row: 0, column: 0 }, 'b a | c / d'],
    ['a', { stepId: 'one', row: 0, column: 1 }, null],
    ['a', { stepId: 'one', row: 2, column: null }, 'b | c | a / d'],
    ['a', { stepId: 'one', row: 1, column: 0 }, 'b | a c / d'],
    ['c', { stepId: 'one', row: 0, column: null }, 'c | a b / d'],
    ['c', { stepId: 'one', row: 0, column: 2 }, 'a b c / d'],
    ['c', { stepId: 'one', row: 1, column: 0 }, null],
    ['c', { stepId: 'one', row: 1, column: null }, null],
    ['c', { stepId: 'one', row: 2, column: null }, null],
    ['c', { stepId: 'two', row: 0, column: 1 }, 'a b / d c'],
    ['d', { stepId: 'one', row: 9, column: null }, 'a b | c | d / '],
    ['d', { stepId: 'none', row: 0, column: null }, null],
    ['nobody', { stepId: 'one', row: 0, column: null }, null],
  ]
  for (const [name, place, wanted] of cases)
    it(`moves ${name} to ${JSON.stringify(place)}`, () => {
      const moved = moveField(form(), name, place)
      assert.equal(moved && readOf(moved), wanted)
      if (moved) assert.ok(areDense(moved))
    })

  it('refuses a full row', () => {
    const fields = ['a', 'b', 'c', 'd'].map((name, column) => field(name, 0, column))
    const full: FormDefinition = {
      ...form(),
      steps: [{ _id: 'one', name: '', fields: [...fields, field('e', 1, 0)] }],
    }
    assert.equal(moveField(full, 'e', { stepId: 'one', row: 0, column: 1 }), null)
    assert.equal(nudgeField(full, 'e', 'left'), null)
    assert.equal(readOf(present(moveField(full, 'a', { stepId: 'one', row: 0, column: 4 }))), 'b c d a | e')
  })
})

describe('nudging a field', () => {
  const cases: [string, Parameters<typeof nudgeField>[2], string | null][] = [
    ['a', 'right', 'b a | c / d'],
    ['a', 'left', null],
    ['b', 'right', 'a | b c / d'],
    ['c', 'left', 'a b c / d'],
    ['c', 'right', null],
    ['a', 'up', 'a | b | c / d'],
    ['b', 'down', 'a | b | c / d'],
    ['c', 'up', 'c | a b / d'],
    ['c', 'down', 'a b / c | d'],
    ['d', 'up', 'a b | c | d / '],
    ['d', 'down', null],
  ]
  for (const [name, direction, wanted] of cases)
    it(`moves ${name} ${direction}`, () => {
      const moved = nudgeField(form(), name, direction)
      assert.equal(moved && readOf(moved), wanted)
      if (moved) assert.ok(areDense(moved))
    })

  it('passes one row at a time', () => {
    const three: FormDefinition = {
      ...form(),
      steps: [{ _id: 'one', name: '', fields: [field('a', 3, 0), field('b', 5, 0), field('c', 9, 4)] }],
    }
    const once = present(nudgeField(three, 'a', 'down'))
    assert.equal(readOf(once), 'b | a | c')
    assert.equal(readOf(present(nudgeField(once, 'a', 'down'))), 'b | c | a')
    assert.ok(areDense(once))
  })
})

describe('a field', () => {
  const fresh: edit.NewField = { type: 'text', name: 'Größe (cm)', config: {}, options: [] }

  it('gets a unique name wherever it is added', () => {
    const once = present(edit.addField(form(), fresh, { stepId: 'one', row: 1, column: 0 }))
    assert.equal(once.name, 'grosse_cm')
    assert.equal(readOf(once.definition), 'a b | grosse_cm c / d')
    const twice = present(edit.addField(once.definition, fresh, edit.endOf(present(once.definition.steps[1] ?? null))))
    assert.equal(readOf(twice.definition), 'a b | grosse_cm c / d | grosse_cm_2')
  })

  it('lists its dependents and is removed with its own conditions', () => {
    assert.deepEqual(dependentsOf(form(), 'a'), [
      { name: 'b', by: 'condition' },
      { name: 'c', by: 'sent-name' },
      { name: 'd', by: 'formula' },
    ])
    assert.deepEqual(dependentsOf(form(), 'd'), [])
    const without = edit.removeField(form(), 'b')
    assert.equal(readOf(without), 'a | c / d')
    assert.deepEqual(without.show_conditions, {})
    assert.deepEqual(edit.removeField(form(), 'nobody'), form())
  })

  it('is duplicated into the row below with the same condition', () => {
    const copy = present(edit.duplicateField(form(), 'b'))
    assert.equal(readOf(copy.definition), 'a b | b_2 | c / d')
    assert.deepEqual(copy.definition.show_conditions.b_2, form().show_conditions.b)
  })

  it('is renamed in every condition and formula', () => {
    const renamed = present(edit.changeInputName(form(), 'a', 'first'))
    assert.deepEqual(renamed.show_conditions.b, {
      and: [{ '==': [{ var: 'first' }, 'a'] }, { '!': { var: ['c', 'a'] } }],
    })
    assert.deepEqual(renamed.input_name_conditions, { c: { other: { in: [{ var: 'first' }, ['a']] } } })
    assert.equal(findField(renamed, 'd')?.field.config.formula, '{first} + c*a2')
    assert.equal(edit.changeInputName(form(), 'a', 'c'), null)
    const its = present(edit.changeInputName(form(), 'b', 'second'))
    assert.deepEqual(Object.keys(its.show_conditions), ['second'])
  })

  it('does not rename references to list entries', () => {
    const definition = { ...form(), show_conditions: { b: { some: [{ var: 'a' }, { '==': [{ var: 'a' }, 1] }] } } }
    const renamed = present(edit.changeInputName(definition, 'a', 'first'))
    assert.deepEqual(renamed.show_conditions.b, { some: [{ var: 'first' }, { '==': [{ var: 'a' }, 1] }] })
  })

  it('drops a setting without a value', () => {
    const said = edit.changeConfig(form(), 'a', { required: true, placeholder: 'x' })
    assert.deepEqual(findField(said, 'a')?.field.config, { required: true, placeholder: 'x' })
    assert.deepEqual(findField(edit.changeConfig(said, 'a', { placeholder: undefined }), 'a')?.field.config, {
      required: true,
    })
  })
})

describe('a step', () => {
  it('is added, moved and removed with its fields, except the last step', () => {
    const more = edit.addStep(form(), { _id: 'new', name: 'New' }, 'one')
    assert.equal(readOf(more), 'a b | c /  / d')
    assert.equal(readOf(present(edit.moveStep(more, 'two', -1))), 'a b | c / d / ')
    assert.equal(edit.moveStep(more, 'one', -1), null)
    assert.equal(edit.moveStep(more, 'two', 1), null)
    const less = present(edit.removeStep(form(), 'one'))
    assert.equal(readOf(less), 'd')
    assert.deepEqual([less.show_conditions, less.input_name_conditions], [{}, {}])
    assert.equal(edit.removeStep(less, 'two'), null)
    assert.equal(edit.renameStep(form(), 'one', 'First').steps[0]?.name, 'First')
  })

  it('is duplicated with unique names, and its conditions refer to the copies', () => {
    const copied = edit.duplicateStep(form(), 'one', { _id: 'copy', name: 'One again' })
    assert.equal(readOf(copied), 'a b | c / a_2 b_2 | c_2 / d')
    assert.deepEqual(copied.show_conditions.b, form().show_conditions.b)
    assert.deepEqual(copied.show_conditions.b_2, {
      and: [{ '==': [{ var: 'a_2' }, 'a'] }, { '!': { var: ['c_2', 'a'] } }],
    })
    assert.deepEqual(copied.input_name_conditions.c_2, { other: { in: [{ var: 'a_2' }, ['a']] } })
  })
})

describe('deriving a name from a label', () => {
  for (const [words, name] of [
    ['Full name', 'full_name'],
    ['  2nd Address! ', 'nd_address'],
    ['Ünïcode', 'unicode'],
    ['\u540d\u524d', 'field'],
    ['constructor', 'field'],
    ['__proto__', 'proto'],
    ['x'.repeat(90), 'x'.repeat(60)],
  ] as const)
    it(words.slice(0, 20), () => assert.equal(nameOfWords(words), name))

  it('avoids taken names within the length limit', () => {
    const long = 'x'.repeat(60)
    assert.equal(freshName(new Set([long]), long), `${'x'.repeat(58)}_2`)
  })
})
