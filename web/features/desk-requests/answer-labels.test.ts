// spec: DK requests
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { type Answered, layOut } from './answer-labels.ts'

const names = { yes: 'Yes', no: 'No', day: (day: string) => `on ${day}`, country: (code: string) => `land ${code}` }
const id = '6f1b2f1e-8c9d-4a53-9d56-0a1b2c3d4e5f'
const options = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
]
const field = (
  input_name: string,
  type: FormField['type'],
  row: number,
  column = 0,
  more: Partial<FormField> = {},
) => ({
  ...{ name: input_name, description: null, options: [], scores: {}, config: {} },
  ...{ input_name, type, row, column, ...more },
})

const definition: FormDefinition = {
  steps: [
    {
      _id: 'one',
      name: 'One',
      fields: [
        field('right', 'yes_no', 0, 1),
        field('left', 'text', 0, 0),
        field('note', 'static_content', 1),
        field('kinds', 'multi_select', 2, 0, { options }),
        field('when', 'date', 3),
        field('span', 'date_range', 4),
        field('land', 'country', 5),
        field('document', 'files', 6),
        field('login', 'trading_account', 7),
        field('agree', 'consent', 8),
        field('hidden', 'text', 9),
      ],
    },
    { _id: 'two', name: 'Two', fields: [field('never', 'text', 0)] },
  ],
  show_conditions: {},
  input_name_conditions: { left: { other_left: true } },
  result_bands: [],
}

const answered: Answered = {
  form: { _id: id, name: 'Form', version: 1 },
  definition,
  answers: {
    other_left: 'words',
    right: 'no',
    kinds: ['b', 'a'],
    when: '2026-01-31',
    span: { from: '2026-01-01', to: '2026-02-01' },
    land: 'CY',
    document: [id, 'gone'],
    login: id,
    agree: true,
  },
  scores: null,
  files: [
    {
      ...{ _id: id, name: 'p.pdf', extension: 'pdf', is_image: false, size_bytes: 1, url: '/x', scan: 'clean' },
      ...{ is_unscannable: false, may_release: false },
    },
  ],
  labels: { [id]: 'MT5 1001' },
}

it('lays out the answers like the form, in readable words', () => {
  const [step, ...others] = layOut(answered, names)
  assert.deepEqual(others, [])
  assert.deepEqual(
    step?.rows.map((row) => row.map((each) => [each.field.input_name, each.text, each.files.length])),
    [
      [
        ['left', 'words', 0],
        ['right', 'No', 0],
      ],
      [['kinds', 'Second, First', 0]],
      [['when', 'on 2026-01-31', 0]],
      [['span', 'on 2026-01-01 \u2013 on 2026-02-01', 0]],
      [['land', 'land CY', 0]],
      [['document', null, 1]],
      [['login', 'MT5 1001', 0]],
      [['agree', 'Yes', 0]],
    ],
  )
})
