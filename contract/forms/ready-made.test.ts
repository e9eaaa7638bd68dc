import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkAnswers, initialAnswers, shownFields, shownSteps } from './answers.ts'
import { formDefinition } from './checked-definition.ts'
import { readyMadeForms } from './ready-made.ts'

const today = '2026-11-22'
const id = 'b2a1c7de-0c1c-4f0e-9d43-4b7c2f3a9e10'
const formOf = (key: string) => {
  const found = readyMadeForms.find((form) => form.key === key)
  assert.ok(found, key)
  return found.definition
}

describe('ready-made forms', () => {
  for (const { key, definition } of readyMadeForms)
    it(`${key} is a valid form, also after export and import`, () => {
      const parsed = formDefinition.safeParse(JSON.parse(JSON.stringify(definition)))
      assert.deepEqual(parsed.error?.issues ?? [], [])
      assert.deepEqual(parsed.data, definition)
    })

  for (const { key, definition } of readyMadeForms)
    it(`${key} starts with a required answer, and has no two fields in one place`, () => {
      assert.equal(checkAnswers(definition, initialAnswers(definition), { today, step: 0 }).ok, false)
      for (const { fields, name } of definition.steps) {
        const places = fields.map(({ row, column }) => `${row}/${column}`)
        assert.equal(new Set(places).size, places.length, name)
      }
    })

  it('asks for tax details after a move to another country', () => {
    const form = formOf('change-of-address')
    const here = shownFields(form, { country_changed: 'no' })
    assert.ok(here.has('nothing_changes') && !here.has('tax_resident_there'))
    const abroad = { country_changed: 'yes', tax_resident_there: 'no', has_tax_number: 'no' }
    const shown = shownFields(form, abroad)
    assert.ok(shown.has('tax_country') && shown.has('no_tax_number_because') && !shown.has('tax_number'))
    // A field that depends on a hidden field is hidden with it.
    assert.ok(!shownFields(form, { ...abroad, country_changed: 'no' }).has('tax_country'))
  })

  it('asks only for the new leverage, warns about open positions, and asks more about a high leverage', () => {
    const form = formOf('leverage-change')
    const low = shownFields(form, { leverage_wanted: '20', has_positions: 'yes' })
    assert.ok(low.has('lower_with_positions') && low.has('reason') && !low.has('is_professional'))
    assert.ok(!low.has('leverage_now'))
    const high = shownFields(form, { leverage_wanted: '100', has_positions: 'no' })
    assert.ok(!high.has('lower_with_positions') && high.has('reason') && high.has('is_professional'))
  })

  it('stores the beneficiary of an account closure once, under one name', () => {
    const form = formOf('account-closure')
    const answers = {
      ...{ scope: 'one', account: id, has_positions: 'no', reason: 'not_used', has_balance: 'yes' },
      ...{ balance_to: 'bank', pay_to: id, move_to: id, wants_statement: 'no', is_final: true, signature: id },
    }
    const checked = checkAnswers(form, answers, { today })
    assert.ok(checked.ok, JSON.stringify(checked))
    assert.equal(checked.accepted.move_to, undefined)
    assert.equal(checked.named.destination, id)
    assert.equal(checked.named.pay_to, undefined)
  })

  it('has a band for every score, and does not pass on experience alone', () => {
    const { steps, result_bands: bands } = formOf('appropriateness-test')
    const mostOf = (at: number) =>
      (steps[at]?.fields ?? []).reduce((sum, { scores }) => sum + Math.max(0, ...Object.values(scores)), 0)
    const [low, middle, high] = bands
    assert.ok(low && middle && high)
    assert.equal(low.from, 0)
    assert.equal(middle.from, low.to + 1)
    assert.equal(high.from, middle.to + 1)
    assert.equal(high.to, mostOf(0) + mostOf(1) + mostOf(2))
    assert.ok(mostOf(0) <= low.to)
  })

  it('counts the points of an appropriateness test', () => {
    const form = formOf('appropriateness-test')
    const right = {
      ...{ leverage_question: 'c', loss_question: 'b', margin_question: 'a' },
      ...{ stop_question: 'b', overnight_question: 'b', ownership_question: 'b' },
    }
    const rest = {
      ...{ education: 'none', worked_in_finance: 'no', traded_shares: 'never', traded_leveraged: 'never' },
      ...{ can_bear_loss: '4', is_own_answer: true },
    }
    const checked = checkAnswers(form, { ...right, ...rest }, { today })
    assert.ok(checked.ok, JSON.stringify(checked))
    assert.equal(checked.scores?.total, 24)
    assert.equal(checked.scores?.band?.name, 'Appropriate')
    const wrong = checkAnswers(form, { ...right, ...rest, loss_question: 'unknown' }, { today })
    assert.equal(wrong.ok && wrong.scores?.band?.name, 'Appropriate with a warning')
  })

  it('sums the sources of funds, and asks about a difference', () => {
    const form = formOf('source-of-funds')
    const answers = {
      planned: '20000',
      sources: ['savings', 'crypto'],
      savings_amount: '12000.50',
      crypto_amount: '0.10',
    }
    const shown = shownFields(form, answers)
    assert.ok(shown.has('savings_amount') && shown.has('difference') && !shown.has('employer'))
    assert.ok(!shownFields(form, { ...answers, savings_amount: '20000' }).has('difference'))
    // The amount of a source that is no longer selected does not count.
    assert.ok(shownFields(form, { ...answers, employment_amount: '50000' }).has('difference'))
    assert.deepEqual(shownSteps(form, shown), [0, 1, 2, 3])
  })
})
