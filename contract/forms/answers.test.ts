// spec: AO 3, AO 5
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aField, aForm, formOf } from '../../tests/fixtures/form-definitions.ts'
import { checkAnswers, draftAnswers, initialAnswers, shownFields, shownSteps } from './answers.ts'
import type { Rule } from './rules.ts'

const today = '2026-11-22'
const gap = 'This is a required field'
const gaps = 'Please fill all the required fields.'

const is = (name: string, value: string): Rule => ({ '==': [{ var: name }, value] })

describe('answers to a form', () => {
  const form = aForm(
    [
      aField('yes_no', 'moved', { config: { required: true } }),
      aField('text', 'street', { config: { required: true } }),
      aField('number', 'persons'),
    ],
    { show_conditions: { street: is('moved', 'yes') } },
  )

  it('requires shown required fields, and stores their answers', () => {
    assert.deepEqual([...shownFields(form, {})], ['moved', 'persons'])
    assert.deepEqual(checkAnswers(form, {}, { today }), { ok: false, errors: { moved: [gap] }, step: 0, message: gaps })
    const accepted = { moved: 'yes', street: 'Harbour Road 1', persons: '3' }
    assert.deepEqual(checkAnswers(form, accepted, { today }), { ok: true, accepted, named: accepted, scores: null })
  })

  it('drops answers of hidden fields, even invalid ones', () => {
    for (const street of ['Harbour Road 1', 5, { from: 1 }, 'x'.repeat(10_000)]) {
      const checked = checkAnswers(form, { moved: 'no', street }, { today })
      assert.deepEqual(checked.ok && checked.accepted, { moved: 'no' })
    }
  })

  it('refuses unknown names, and repeats only safe names in the error', () => {
    const said = ['This form has no such field.']
    const odd = JSON.parse('{"moved":"no","other":"x","__proto__":"x","constructor":"x","<b>":"x"}')
    assert.deepEqual(checkAnswers(form, odd, { today }), {
      ok: false,
      errors: { other: said, form: said },
      step: 0,
      message: null,
    })
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`name_${at}`, 'x']))
    const checked = checkAnswers(form, many, { today })
    assert.ok(!checked.ok && Object.keys(checked.errors).length < 30)
  })

  it('reports all errors together, with the first affected step', () => {
    const steps = formOf([
      [aField('text', 'first')],
      [aField('email', 'second'), aField('text', 'third', { config: { required: true } })],
      [aField('number', 'fourth')],
    ])
    assert.deepEqual(checkAnswers(steps, { second: 'x', fourth: 'y' }, { today }), {
      ok: false,
      errors: { second: ['You have not given a correct e-mail address'], third: [gap], fourth: ['Invalid number'] },
      step: 1,
      message: gaps,
    })
    assert.equal(checkAnswers(steps, { second: 'x', fourth: 'y' }, { today, step: 0 }).ok, true)
    assert.deepEqual(checkAnswers(steps, { third: 'x', fourth: 'y' }, { today, step: 2 }), {
      ok: false,
      errors: { fourth: ['Invalid number'] },
      step: 2,
      message: null,
    })
  })
})

describe('shown fields', () => {
  // In reverse order on purpose: c depends on b, b on a, and d on the sum.
  const form = aForm(
    [
      aField('text', 'd'),
      aField('formula', 'sum', { config: { formula: '{amount} * {times}' } }),
      aField('text', 'c', { config: { required: true } }),
      aField('yes_no', 'b'),
      aField('yes_no', 'a'),
      aField('decimal', 'amount'),
      aField('number', 'times'),
    ],
    {
      show_conditions: {
        c: is('b', 'yes'),
        b: is('a', 'yes'),
        times: is('a', 'yes'),
        d: { '>': [{ var: 'sum' }, 10] },
      },
    },
  )

  it('depend only on shown fields', () => {
    assert.ok(shownFields(form, { a: 'yes', b: 'yes' }).has('c'))
    const hidden = shownFields(form, { a: 'no', b: 'yes', c: 'x' })
    assert.ok(!hidden.has('b') && !hidden.has('c'))
    const checked = checkAnswers(form, { a: 'no', b: 'yes', c: 'x' }, { today })
    assert.deepEqual(checked.ok && checked.accepted, { a: 'no' })
  })

  it('depend on formulas, in which a hidden number counts as zero', () => {
    const answers = { a: 'yes', amount: '2.6', times: '4', d: 'x' }
    const checked = checkAnswers(form, answers, { today })
    assert.deepEqual(checked.ok && checked.accepted, { d: 'x', sum: '10.4', a: 'yes', amount: '2.6', times: '4' })
    const without = checkAnswers(form, { ...answers, a: 'no' }, { today })
    assert.deepEqual(without.ok && without.accepted, { sum: '0', a: 'no', amount: '2.6' })
  })

  it('ignore a submitted value of a formula', () => {
    const answers = { a: 'yes', amount: '2', times: '2', sum: '1000', d: 'x' }
    const checked = checkAnswers(form, answers, { today })
    assert.deepEqual(checked.ok && checked.accepted, { sum: '4', a: 'yes', amount: '2', times: '2' })
  })

  it('do not depend on unreadable answers', () => {
    const numbers = aForm([aField('number', 'age'), aField('text', 'note')], {
      show_conditions: { note: { '>': [{ var: 'age' }, 1] } },
    })
    assert.ok(shownFields(numbers, { age: '18' }).has('note'))
    for (const age of ['18a', 18, ['18'], '']) assert.ok(!shownFields(numbers, { age }).has('note'), String(age))
  })

  it('skip steps whose fields are all hidden', () => {
    const steps = formOf(
      [[aField('yes_no', 'a')], [aField('text', 'b'), aField('button', 'next')], [aField('text', 'c')], []],
      {
        show_conditions: { b: is('a', 'yes') },
      },
    )
    assert.deepEqual(shownSteps(steps, shownFields(steps, {})), [0, 2, 3])
    assert.deepEqual(shownSteps(steps, shownFields(steps, { a: 'yes' })), [0, 1, 2, 3])
  })
})

describe('scores', () => {
  const band = (from: number, to: number, name: string) => ({ from, to, name, text: '' })
  const form = aForm(
    [
      aField('radio', 'one', { scores: { a: 3, b: -1 } }),
      aField('checkbox_group', 'two', { scores: { a: 1, b: 2, c: 4 } }),
      aField('checkbox', 'three', { scores: { true: 10 } }),
      aField('yes_no', 'four', { scores: { yes: 5 } }),
    ],
    { show_conditions: { four: is('one', 'a') }, result_bands: [band(-9, 0, 'Low'), band(1, 10, 'Middle')] },
  )
  const scoresOf = (answers: Record<string, unknown>) => {
    const checked = checkAnswers(form, answers, { today })
    return checked.ok && [checked.scores?.total, checked.scores?.band?.name]
  }

  it('are summed over shown fields, and match at most one band', () => {
    assert.deepEqual(scoresOf({}), [0, 'Low'])
    assert.deepEqual(scoresOf({ one: 'b', four: 'yes' }), [-1, 'Low'])
    assert.deepEqual(scoresOf({ one: 'a', four: 'yes' }), [8, 'Middle'])
    assert.deepEqual(scoresOf({ two: ['c', 'b'] }), [6, 'Middle'])
    assert.deepEqual(scoresOf({ two: ['a'], three: true }), [11, undefined])
    assert.deepEqual(checkAnswers(aForm([]), {}, { today }), { ok: true, accepted: {}, named: {}, scores: null })
  })
})

describe('names of answers', () => {
  it('come from the alphabetically first condition that holds, without duplicates', () => {
    const form = aForm([aField('text', 'a'), aField('text', 'b'), aField('text', 'c')], {
      input_name_conditions: {
        a: { never: false, shared: is('c', 'yes') },
        b: { spare: true, shared: true },
      },
    })
    const namedOf = (answers: Record<string, unknown>) => {
      const checked = checkAnswers(form, answers, { today })
      return checked.ok && checked.named
    }
    assert.deepEqual(namedOf({ a: '1', b: '2' }), { a: '1', shared: '2' })
    assert.deepEqual(namedOf({ a: '1', b: '2', c: 'yes' }), { shared: '1', spare: '2', c: 'yes' })
  })
})

describe('drafts and initial answers', () => {
  const form = aForm([
    aField('text', 'a', { config: { default: 'as usual' } }),
    aField('number', 'b', { config: { max: '5' } }),
    aField('checkbox', 'c', { config: { default: true } }),
    aField('multi_select', 'd'),
  ])
  it('a new form holds its defaults', () => assert.deepEqual(initialAnswers(form), { a: 'as usual', c: true }))
  it('a draft keeps the answers that the form can parse, valid or not', () => {
    const draft = JSON.parse('{"a":"x","b":"7","c":"no","d":["z"],"gone":"x","__proto__":"x"}')
    assert.deepEqual(draftAnswers(form, draft), { a: 'x', b: '7' })
  })
})
