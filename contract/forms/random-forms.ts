import fc from 'fast-check'
import { checkAnswers, draftAnswers } from './answers.ts'
import { type FieldType, type FormDefinition, type FormField, fieldTypes, formDefinition } from './definition.ts'
import { answerKindOf, hasAnswer } from './field-settings.ts'
import { fieldsOfRule, isRule, type Rule, ruleOperators } from './rules.ts'
import { aField, formOf } from './testing.ts'

/** Forms, rules and answers at random, for the tests of both sides. */
export const today = '2026-11-22'

const operators = Object.keys(ruleOperators).filter((operator) => operator !== 'var' && operator !== 'missing')

/** Rules over these names, well made and not. */
export function someRule(names: readonly string[]): fc.Arbitrary<Rule> {
  const literal = fc.oneof(
    fc.constantFrom<Rule>(null, true, false, 0, 1, 2.5, '', 'a', 'b', 'yes', 'no', '1', '2026-11-22'),
    fc.integer({ min: -5, max: 5 }),
  )
  const variable = fc.constantFrom(...names, '', 'absent').map((name): Rule => ({ var: name }))
  const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
    rule: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      literal,
      variable,
      fc
        .tuple(fc.constantFrom(...operators), fc.array(tie('rule'), { minLength: 1, maxLength: 3 }))
        .map(([operator, given]): Rule => ({ [operator]: given })),
      fc.array(tie('rule'), { maxLength: 3 }),
      fc.constantFrom(...names).map((name): Rule => ({ missing: [name] })),
    ),
  }))
  return rule
}

export const names = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7']

/** A definition whose fields depend on ones before them, so that most of what is made is a form. */
export const someForm: fc.Arbitrary<FormDefinition> = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom(...fieldTypes), fc.boolean(), fc.nat(2)), { minLength: 1, maxLength: 8 }),
    fc.array(fc.option(someRule(names), { freq: 2 }), { minLength: 8, maxLength: 8 }),
    fc.array(fc.integer({ min: -3, max: 9 }), { minLength: 3, maxLength: 3 }),
  )
  .map(([types, rules, points]) => {
    const fields = types.map(([type, isRequired], at) => fieldOf(type, `f${at}`, isRequired, points))
    const steps = [0, 1, 2].map((step) => fields.filter((_, at) => types[at]?.[2] === step))
    const order = steps.flat()
    const show = order.flatMap((field, at): [string, Rule][] => {
      const rule = rules[at] ?? null
      const before = order.slice(0, at).filter(hasAnswer)
      const isFit =
        rule !== null &&
        isRule(rule) &&
        fieldsOfRule(rule).every((name) => before.some((other) => other.input_name === name))
      return isFit ? [[field.input_name, rule]] : []
    })
    return formOf(steps, {
      show_conditions: Object.fromEntries(show),
      input_name_conditions: { f0: { shared: { '!!': [{ var: 'f1' }] } } },
    })
  })
  .filter((form) => formDefinition.safeParse(form).success)

function fieldOf(type: FieldType, name: string, isRequired: boolean, points: readonly number[]): FormField {
  const kind = answerKindOf(type)
  const config = kind === 'none' || kind === 'computed' || type === 'hidden' ? {} : { required: isRequired }
  const plain = aField(type, name, { config })
  const [a = 0, b = 0, c = 0] = points
  return plain.options.length > 0 ? { ...plain, scores: { a, b, c } } : plain
}

const uuid = 'b2a1c7de-0c1c-4f0e-9d43-4b7c2f3a9e10'
const right: unknown[] = [
  ...[
    'a',
    'b',
    'yes',
    'no',
    '1',
    '2.5',
    '-7',
    '2026-11-22',
    '09:30',
    'member@harbour.example',
    '+47 22 00 00 00',
    'NO',
    'EUR',
  ],
  ...['GB82 WEST 1234 5698 7654 32', 'DEUTDEFF', 'https://harbour.example', uuid, uuid.toUpperCase()],
  ...[true, false, ['a'], ['c', 'a'], [uuid], { from: '2026-01-01', to: '2026-02-01' }],
]
export const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...right) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>('', ' ', null, [], {}, 0, 'x'.repeat(6_000), '\u0000', '\ud800'),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
)
export const someAnswers = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 8, noNullPrototype: true })

/** Answers that fit the form: each step is filled with what its fields would take, where they are shown. */
export function filledIn(form: FormDefinition, given: Record<string, unknown>): Record<string, unknown> {
  const fields = form.steps.flatMap((step) => step.fields).filter(hasAnswer)
  const drafts: Record<string, unknown> = draftAnswers(form, given)
  return Object.fromEntries(
    fields.map(({ input_name: name, type }) => [
      name,
      drafts[name] || (answerKindOf(type) === 'flag' ? true : fitting(type)),
    ]),
  )
}

function fitting(type: FieldType): unknown {
  const form = formOf([[aField(type, 'field', { config: {} })]])
  return right.find((value) => {
    const checked = checkAnswers(form, { field: value }, { today })
    return checked.ok && Object.hasOwn(checked.kept, 'field')
  })
}
