import type { Mutation } from './mutation.ts'

const editing = ['web/features/desk-forms/builder/form-edit.test.ts']
const importing = ['web/features/desk-forms/builder/form-problems.test.ts']
const answers = ['contract/forms/answers.test.ts']
const definition = ['contract/forms/definition.test.ts']
const properties = ['contract/forms/properties.test.ts']
const rules = ['contract/forms/rules.test.ts']

/** Forms: visibility, validation, and protection against malicious definitions. */
export const formMutations: Mutation[] = [
  {
    name: 'a hidden field still affects the conditions of others',
    file: 'contract/forms/answers.ts',
    find: 'if (show !== undefined && !evaluateRule(show, values, all)) continue',
    replace: 'if (show !== undefined && !evaluateRule(show, entered, all)) continue',
    tests: [...answers, ...properties],
    guards: 'T2',
  },
  {
    name: 'an unknown field name is accepted',
    file: 'contract/forms/answers.ts',
    find: "    return !known || answerKindOf(known.field.type) === 'none'\n",
    replace: '    return known && !known\n',
    tests: [...answers, ...properties],
    guards: 'T2',
  },
  {
    name: 'the server trusts a formula result of the client',
    file: 'contract/forms/answers.ts',
    find: '  if (formula) return evaluateFormula(formula, values,',
    replace:
      "  const sent = entered[field.input_name]\n  if (formula && typeof sent === 'string') return sent\n  if (formula) return evaluateFormula(formula, values,",
    tests: [...answers, ...properties],
    guards: 'T2',
  },
  {
    name: 'a rule can read inherited properties',
    file: 'contract/forms/rules.ts',
    find: "typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null",
    replace: 'value === null || value === undefined) return null',
    tests: rules,
    guards: 'U8',
  },
  {
    name: 'a rule has no limit on its steps',
    file: 'contract/forms/rules.ts',
    find: '  run.left -= 1\n',
    replace: '',
    tests: [...rules, ...properties],
    guards: 'U8',
  },
  {
    name: 'circular conditions are accepted',
    file: 'contract/forms/form-order.ts',
    find: '      loop ??= [...path.slice(begun), name]\n',
    replace: '',
    tests: definition,
    guards: 'U8',
  },
  {
    name: 'a formula is computed with floats',
    file: 'contract/forms/formula.ts',
    find: "if (operator === '+') return bounded(left.plus(right))",
    replace: "if (operator === '+') return exactOf(left.toNumber() + right.toNumber())",
    tests: ['contract/forms/formula.test.ts', ...properties],
    guards: 'M13',
  },
  {
    name: 'renaming a field in the builder leaves its conditions behind',
    file: 'web/features/desk-forms/form-names.ts',
    find: 'mapRecord(definition.show_conditions, renamed, (rule) => renameInRule(rule, from, to))',
    replace: 'mapRecord(definition.show_conditions, renamed, (rule) => rule)',
    tests: editing,
    guards: 'T2',
  },
  {
    name: 'copying a field in the builder loses its condition',
    file: 'web/features/desk-forms/builder/form-edit.ts',
    find: 'definition: withSameCondition(next, name, input_name), name: input_name',
    replace: 'definition: next, name: input_name',
    tests: editing,
    guards: 'T2',
  },
  {
    name: 'an import into the builder is not validated',
    file: 'web/features/desk-forms/builder/form-problems.ts',
    find: 'const read = formDefinition.safeParse(isWrapped ? value.definition : value)',
    replace:
      'const given = (isWrapped ? value.definition : value) as FormDefinition\n  const read = { ...formDefinition.safeParse(given), success: true as boolean, data: given }',
    tests: importing,
    guards: 'U2',
  },
  {
    name: 'undo in the builder cannot be redone',
    file: 'web/features/desk-forms/builder/history.ts',
    find: 'future: [history.now, ...history.future], mark: null',
    replace: 'future: [], mark: null',
    tests: ['web/features/desk-forms/builder/history.test.ts'],
    guards: 'T2',
  },
]
