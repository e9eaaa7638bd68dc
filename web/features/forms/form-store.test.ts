// spec: AO 4
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formDefinition } from '@atrium/contract/forms/checked-definition.ts'
import { createFormStore } from './form-store.ts'

const today = '2026-11-22'
const field = (input_name: string, more: object = {}) => ({
  name: input_name,
  description: null,
  type: 'text',
  options: [],
  scores: {},
  row: 0,
  column: 0,
  config: {},
  input_name,
  ...more,
})
const required = { config: { required: true } }

const definition = formDefinition.parse({
  steps: [
    { _id: 'one', name: 'One', fields: [field('has_other', { type: 'yes_no' }), field('city', required)] },
    { _id: 'two', name: 'Two', fields: [field('other', required)] },
    {
      _id: 'three',
      name: 'Three',
      fields: [
        field('amount', { type: 'decimal' }),
        field('twice', { type: 'formula', config: { formula: '{amount} * 2' } }),
      ],
    },
  ],
  show_conditions: { other: { '==': [{ var: 'has_other' }, 'yes'] } },
  input_name_conditions: {},
})

describe('the form store', () => {
  it('goes forward only from a valid step, and back always', () => {
    const store = createFormStore(definition, { today })
    const checked = store.next()
    assert.equal(checked.ok, false)
    assert.equal(store.place().step, 0)
    assert.equal(store.field('city').errors.length, 1)
    store.set('city', 'Hamburg')
    assert.deepEqual(store.field('city').errors, [])
    store.next()
    assert.deepEqual(
      store.place(),
      { step: 2, at: 1, count: 2, isLast: true, ownActs: [] },
      'a step without visible fields is skipped',
    )
    store.set('amount', 'many')
    store.back()
    assert.equal(store.place().step, 0)
  })

  it('adds a step as soon as one of its fields is shown', () => {
    const store = createFormStore(definition, { today })
    assert.equal(store.place().count, 2)
    store.set('has_other', 'yes')
    assert.equal(store.place().count, 3)
    assert.equal(store.field('other').isShown, true)
  })

  it('goes to the first step with an error on submission', () => {
    const store = createFormStore(definition, { today, answers: { has_other: 'yes', city: 'Bremen' }, step: 2 })
    assert.equal(store.place().step, 2)
    assert.equal(store.check().ok, false)
    assert.equal(store.place().step, 1)
    assert.equal(store.field('other').errors.length, 1)
    store.set('other', 'Kiel')
    const checked = store.check()
    assert.deepEqual(checked.ok && checked.accepted, { has_other: 'yes', city: 'Bremen', other: 'Kiel' })
  })

  it('notifies only the subscribers of changed fields', () => {
    const store = createFormStore(definition, { today })
    const notified: string[] = []
    for (const name of ['city', 'other', 'amount', 'twice']) store.subscribe(name)(() => notified.push(name))
    store.set('city', 'Hamburg')
    assert.deepEqual(notified.splice(0), ['city'])
    store.set('has_other', 'yes')
    assert.deepEqual(notified.splice(0), ['other'])
    store.set('amount', '2.5')
    assert.deepEqual(notified.splice(0), ['amount', 'twice'])
    assert.equal(store.field('twice').value, '5')
    const before = store.field('other')
    store.set('city', 'Kiel')
    assert.equal(store.field('other'), before)
  })

  it('keeps invalid input of a draft and drops unknown fields', () => {
    const store = createFormStore(definition, { today, answers: { amount: '12.', gone: 'x', city: 'Hamburg' } })
    assert.equal(store.field('amount').value, '12.')
    assert.equal(Object.hasOwn(store.entered(), 'gone'), false)
  })

  it('counts edits', () => {
    const store = createFormStore(definition, { today })
    let notified = 0
    const stop = store.subscribeToEdits(() => {
      notified += 1
    })
    store.set('city', 'H')
    stop()
    store.set('city', 'Ha')
    assert.equal(notified, 1)
    assert.equal(store.edits(), 2)
  })

  it('lists the visible buttons of a step', () => {
    const button = (name: string, act: string) => field(name, { type: 'button', config: { button: act } })
    const store = createFormStore(
      formDefinition.parse({
        steps: [
          { _id: 'one', name: 'One', fields: [field('agrees', { type: 'checkbox' }), button('on', 'next')] },
          { _id: 'two', name: 'Two', fields: [field('more'), button('off', 'back'), button('send', 'submit')] },
        ],
        show_conditions: { on: { '==': [{ var: 'agrees' }, true] } },
        input_name_conditions: {},
      }),
      { today },
    )
    assert.deepEqual(store.place().ownActs, [])
    store.set('agrees', true)
    assert.deepEqual(store.place().ownActs, ['next'])
    store.next()
    assert.deepEqual(store.place().ownActs, ['back', 'submit'])
    store.back()
    store.set('agrees', false)
    assert.deepEqual(store.place().ownActs, [])
  })

  it('keeps a field with a running upload when a condition hides it', () => {
    const store = createFormStore(
      formDefinition.parse({
        steps: [
          { _id: 'one', name: 'One', fields: [field('has_bill', { type: 'yes_no' })] },
          { _id: 'two', name: 'Two', fields: [field('bill', { type: 'file' })] },
        ],
        show_conditions: { bill: { '==': [{ var: 'has_bill' }, 'yes'] } },
        input_name_conditions: {},
      }),
      { today, answers: { has_bill: 'yes' }, step: 1 },
    )
    store.hold('bill', true)
    store.set('has_bill', 'no')
    assert.deepEqual([store.field('bill').isShown, store.place().step, store.isHeld()], [true, 1, true])
    store.set('bill', 'its id')
    store.hold('bill', false)
    assert.deepEqual([store.field('bill').isShown, store.place().step, store.isHeld()], [false, 0, false])
    assert.equal(store.field('bill').value, 'its id')
  })
})
