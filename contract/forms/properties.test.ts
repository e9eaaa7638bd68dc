// spec: AO 5, AO 7
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anything, filledIn, names, someAnswers, someForm, someRule, today } from '../../tests/fixtures/random-forms.ts'
import { type Answers, checkAnswers, showForm } from './answers.ts'
import { formDefinition } from './checked-definition.ts'
import type { FormDefinition } from './definition.ts'
import { hasAnswer } from './field-settings.ts'
import { formLimits } from './form-limits.ts'
import { evaluateFormula, readFormula } from './formula.ts'
import { evaluateRule, fieldsOfRule, isRule, type Rule } from './rules.ts'

const runs = { numRuns: 300 }
describe('for every form and all answers', () => {
  it('checking the whole form equals checking each step, before and after JSON', () => {
    fc.assert(
      fc.property(someForm, someAnswers, (form, answers) => {
        const whole = checkAnswers(form, answers, { today })
        const steps = form.steps.map((_, step) => checkAnswers(form, answers, { today, step }))
        assert.equal(
          whole.ok,
          steps.every(({ ok }) => ok),
        )
        const joined = Object.assign({}, ...steps.map((step) => (step.ok ? step.accepted : step.errors)))
        if (whole.ok) assert.deepEqual(whole.accepted, joined)
        else
          assert.equal(
            whole.step,
            steps.findIndex(({ ok }) => !ok),
          )
        const sentForm: FormDefinition = formDefinition.parse(JSON.parse(JSON.stringify(form)))
        const sent = JSON.parse(JSON.stringify(answers))
        assert.deepEqual(checkAnswers(sentForm, sent, { today }), whole)
      }),
      runs,
    )
  })

  it('checking accepted answers again gives the same result, with shown fields only', () => {
    let accepted = 0
    fc.assert(
      fc.property(someForm, someAnswers, (form, answers) => {
        const checked = checkAnswers(form, filledIn(form, answers), { today })
        if (!checked.ok) return
        accepted += Object.keys(checked.accepted).length
        const again = checkAnswers(form, checked.accepted, { today })
        assert.deepEqual(again, checked)
        assert.deepEqual(checkAnswers(form, JSON.parse(JSON.stringify(checked.accepted)), { today }), checked)
        const seen = showForm(form, checked.accepted).shown
        for (const name of Object.keys(checked.accepted)) assert.ok(seen.has(name), name)
      }),
      runs,
    )
    assert.ok(accepted > 300, `${accepted} accepted answers: the random forms are too rarely filled in`)
  })

  it('answers of hidden fields have no effect', () => {
    fc.assert(
      fc.property(someForm, someAnswers, anything, (form, answers, other) => {
        const { shown } = showForm(form, answers)
        const hidden = Object.keys(answers).filter((name) => !shown.has(name) && hasField(form, name))
        const changed = { ...answers, ...Object.fromEntries(hidden.map((name) => [name, other])) }
        assert.deepEqual(checkAnswers(form, changed, { today }), checkAnswers(form, answers, { today }))
      }),
      runs,
    )
  })

  it('shown required fields are required', () => {
    fc.assert(
      fc.property(someForm, someAnswers, (form, answers) => {
        const { shown } = showForm(form, answers)
        for (const field of form.steps.flatMap((step) => step.fields)) {
          const name = field.input_name
          if (!shown.has(name) || !field.config.required) continue
          const { [name]: _, ...without } = answers
          // Removing the answer does not change its own dependencies, so the field is still shown.
          const checked = checkAnswers(form, without, { today })
          assert.deepEqual(!checked.ok && checked.errors[name], ['This is a required field'])
        }
      }),
      runs,
    )
  })

  it('any unknown name is refused', () => {
    fc.assert(
      fc.property(someForm, fc.string({ maxLength: 70 }), anything, (form, name, value) => {
        fc.pre(!hasField(form, name))
        const answers: Answers = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value) ?? null}}`)
        assert.equal(checkAnswers(form, answers, { today }).ok, false)
      }),
      runs,
    )
  })
})

const hasField = (form: FormDefinition, name: string): boolean =>
  form.steps.some(({ fields }) => fields.some((field) => field.input_name === name && hasAnswer(field)))

describe('for every rule and formula', () => {
  it('a rule never throws, takes at most a thousand steps, and survives JSON', () => {
    fc.assert(
      fc.property(someRule(names), someAnswers, (rule, answers) => {
        const all = { left: formLimits.stepsOfAllMax }
        const holds = evaluateRule(rule, answers, all)
        assert.equal(typeof holds, 'boolean')
        assert.ok(formLimits.stepsOfAllMax - all.left <= formLimits.stepsOfOneMax && all.left >= 0)
        assert.equal(evaluateRule(JSON.parse(JSON.stringify(rule)), answers), holds)
      }),
      { numRuns: 1_000 },
    )
  })

  it('an invalid rule does not throw either', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (rule, answers) => {
        isRule(rule)
        fieldsOfRule(rule as Rule)
        assert.equal(typeof evaluateRule(rule as Rule, answers as Record<string, unknown>), 'boolean')
      }),
      { numRuns: 1_000 },
    )
  })

  it('a rule reads only the fields that it names', () => {
    fc.assert(
      fc.property(someRule(names), someAnswers, anything, (rule, answers, other) => {
        const read = new Set(fieldsOfRule(rule))
        const changed = Object.fromEntries(names.map((name) => [name, read.has(name) ? answers[name] : other]))
        const same = Object.fromEntries(names.map((name) => [name, read.has(name) ? answers[name] : undefined]))
        fc.pre(isRule(rule) && !read.has(''))
        assert.equal(evaluateRule(rule, changed), evaluateRule(rule, same))
      }),
      runs,
    )
  })

  it('a formula yields a decimal or null, and sums are exact', () => {
    const text = fc.array(
      fc.constantFrom('f0', '{f1}', '1', '2.5', '0.1', '+', '-', '*', '/', '%', '^', '(', ')', ' '),
      {
        maxLength: 40,
      },
    )
    fc.assert(
      fc.property(text, someAnswers, (parts, answers) => {
        const formula = readFormula(parts.join(''))
        const value = formula && evaluateFormula(formula, answers)
        assert.ok(value === null || /^-?[0-9]{1,20}(\.[0-9]{1,10})?$/.test(value), `${value}`)
      }),
      { numRuns: 1_000 },
    )
    const cents = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n })
    const amount = (value: bigint) =>
      `${value < 0n ? '-' : ''}${abs(value) / 100n}.${`${abs(value) % 100n}`.padStart(2, '0')}`
    const sum = readFormula('a + b - c')
    fc.assert(
      fc.property(cents, cents, cents, (a, b, c) => {
        const result = sum && evaluateFormula(sum, { a: amount(a), b: amount(b), c: amount(c) }, { decimals: 2 })
        assert.equal(Number(result) === 0 ? 0n : BigInt(hundredfold(result ?? '')), a + b - c)
      }),
    )
  })
})

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

function hundredfold(decimal: string): string {
  const [whole = '', places = ''] = decimal.split('.')
  return `${whole}${places.padEnd(2, '0')}`
}
