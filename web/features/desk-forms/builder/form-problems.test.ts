// spec: DK forms
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FieldType, type FormDefinition, fieldTypes } from '@atrium/contract/forms/definition.ts'
import type { TFunction } from '../../../ui/text/i18n.ts'
import { differenceOf } from '../form-difference.ts'
import { nudgeField } from '../form-places.ts'
import { addField, changeConfig, changeField, endOf, setShowCondition } from './form-edit.ts'
import { exportText, hintsOf, problemsOf, readImported } from './form-problems.ts'
import { emptyForm, newField } from './new-field.ts'

const t = ((words: string) => words.replaceAll(/[{}]/g, '')) as unknown as TFunction

/** A form with one field per given type, named in order: the first is `a`. */
function formOf(...types: FieldType[]): FormDefinition {
  return types.reduce<FormDefinition>((form, type, at) => {
    const [step] = form.steps
    assert.ok(step)
    const added = addField(form, { ...newField(type, t), name: 'abcdef'.charAt(at) || `more_${at}` }, endOf(step))
    assert.ok(added)
    return added.definition
  }, emptyForm(t))
}

describe('a new field from the palette', () => {
  it('causes no problem, whatever its type', () => {
    assert.deepEqual(problemsOf(formOf(...fieldTypes)), [])
    for (const type of fieldTypes) assert.deepEqual(problemsOf(formOf(type)), [], type)
  })
})

describe('a problem', () => {
  it('names the field that causes it', () => {
    const step = formOf('text').steps[0]?._id
    const nameless = changeField(formOf('text', 'date'), 'b', { name: ' ' })
    assert.deepEqual(
      problemsOf(nameless).map(({ message, field }) => [message, field]),
      [['A name that members read is missing or too long.', 'b']],
    )
    const wrong = problemsOf(changeConfig(formOf('number'), 'a', { min: 'x' }))
    assert.deepEqual(
      wrong.map(({ message, field }) => [message, field]),
      [['The setting "min" cannot have this value.', 'a']],
    )
    assert.notEqual(wrong[0]?.step, step)
    assert.equal(problemsOf(changeField(formOf('select'), 'a', { options: [] }))[0]?.field, 'a')
  })

  it('names the field that the condition controls when a condition causes it', () => {
    const circle = setShowCondition(setShowCondition(formOf('text', 'text'), 'a', { '!!': { var: 'b' } }), 'b', {
      '!!': { var: 'a' },
    })
    assert.equal(problemsOf(circle).length, 1)
    const unknown = setShowCondition(formOf('text', 'text'), 'a', { '!!': { var: 'nobody' } })
    assert.deepEqual(
      problemsOf(unknown).map(({ field }) => field),
      ['a'],
    )
    assert.deepEqual(
      problemsOf(setShowCondition(formOf('text'), 'a', { nonsense: [] })).map(({ field }) => field),
      ['a'],
    )
  })
})

describe('a hint', () => {
  it('reports an empty step and a condition on a value that no option has', () => {
    assert.equal(hintsOf(emptyForm(t)).length, 1)
    const asked = (value: string) =>
      setShowCondition(formOf('select', 'text'), 'b', { or: [{ '!!': { var: 'b' } }, { in: [{ var: 'a' }, [value]] }] })
    assert.deepEqual(hintsOf(asked('option_1')), [])
    assert.deepEqual(
      hintsOf(asked('gone')).map(({ field }) => field),
      ['b'],
    )
  })
})

describe('an imported form', () => {
  const form = formOf('text', 'select')

  it('equals the exported one, with or without a name', () => {
    assert.deepEqual(readImported(exportText('Leverage', form)), { definition: form, name: 'Leverage' })
    assert.deepEqual(readImported(JSON.stringify(form)), { definition: form, name: null })
  })

  it('is refused with the problem and its path', () => {
    for (const [text, message, where] of [
      ['{', 'This is not valid JSON.', ''],
      ['x'.repeat(2_000_001), 'This file is too large to be a form.', ''],
      ['[]', 'This part of the form cannot be read.', ''],
      [JSON.stringify({ ...form, steps: [] }), 'A form has at least one step, and not too many.', 'steps'],
      [
        JSON.stringify(changeConfig(form, 'a', { chars_max: 'x' })),
        'The setting "chars_max" cannot have this value.',
        'steps \u203a 0 \u203a fields \u203a 0 \u203a config \u203a chars_max',
      ],
    ] as const) {
      const read = readImported(text)
      assert.ok('problems' in read)
      assert.deepEqual(read.problems[0], { message, where })
    }
  })

  it('is refused when it contains a script', () => {
    const read = readImported(
      JSON.stringify(changeConfig(formOf('static_content'), 'a', { html: '<p>Hi<script>x()</script></p>' })),
    )
    assert.ok('problems' in read)
    assert.match(read.problems[0]?.message ?? '', /plain elements/)
  })
})

describe('the difference between two versions', () => {
  const form = formOf('text', 'select', 'date')

  it('is empty for equal versions, whatever the order of keys', () => {
    assert.deepEqual(differenceOf(form, JSON.parse(JSON.stringify(form)) as FormDefinition), [])
    const one = changeConfig(changeConfig(form, 'a', { required: true }), 'a', { help: 'x' })
    const other = changeConfig(changeConfig(form, 'a', { help: 'x' }), 'a', { required: true })
    assert.deepEqual(differenceOf(one, other), [])
  })

  it('lists added, removed and changed parts', () => {
    const step = form.steps[0]
    assert.ok(step)
    const more = addField(form, newField('email', t), { stepId: step._id, row: 0, column: null })
    assert.ok(more)
    assert.deepEqual(differenceOf(form, more.definition), [{ kind: 'added', what: 'field', label: 'Email', parts: [] }])
    assert.deepEqual(differenceOf(more.definition, form), [
      { kind: 'removed', what: 'field', label: 'Email', parts: [] },
    ])
    const other = setShowCondition(changeField(form, 'c', { name: 'Day' }), 'c', { '!!': { var: 'a' } })
    assert.deepEqual(differenceOf(form, other), [
      { kind: 'changed', what: 'field', label: 'Day', parts: ['name', 'condition'] },
    ])
    const moved = nudgeField(form, 'c', 'up')
    assert.ok(moved)
    assert.deepEqual(
      differenceOf(form, moved).map(({ label, parts }) => [label, parts]),
      [
        ['c', ['place']],
        ['b', ['place']],
      ],
    )
  })
})
