/**
 * `npm run bench -- forms`: the cost of a key press on a page of 200 fields with chained conditions, formulas and lists
 * of a hundred options, and of submitting it. The baseline of the same run copies the answers, as any form does at each
 * key.
 */

import { checkAnswers, showForm } from '../contract/forms/answers.ts'
import { formDefinition } from '../contract/forms/checked-definition.ts'
import type { FormDefinition } from '../contract/forms/definition.ts'
import { formOf } from './fill/form-of-size.ts'
import { describeMeasurement, type Measurement, measure } from './measure/measurement.ts'

const keys = Number(process.env.ATRIUM_BENCH_KEYS ?? 500)
const sizes = [20, 200, 300]
const today = '2026-11-22'
const right: Record<string, unknown> = {
  number: '12',
  text: 'A line of text',
  select: 'v50',
  email: 'member@harbour.example',
  multi_select: ['v1', 'v50', 'v99'],
  date: '2026-11-22',
  iban: 'GB82WEST12345698765432',
  yes_no: 'yes',
  decimal: '12.50',
}

for (const size of sizes) {
  const form = formDefinition.parse(formOf(size))
  const answers = answersTo(form)
  const checked = checkAnswers(form, answers, { today })
  if (!checked.ok) throw new Error(`The form refuses the answers: ${JSON.stringify(checked.errors)}`)
  const bare = await measure(1, keys, async (index) => {
    const next = JSON.parse(JSON.stringify({ ...answers, f0: `${index}` }))
    if (Object.keys(next).length < 1) throw new Error('Nothing was copied.')
  })
  const key = await measure(1, keys, async (index) => {
    showForm(form, { ...answers, f0: `${index}` })
  })
  const sent = await measure(1, keys, async (index) => {
    checkAnswers(form, { ...answers, f0: `${index}` }, { today })
  })
  const read = await measure(1, Math.ceil(keys / 10), async () => {
    formDefinition.parse(form)
  })
  reportField(`${size} fields, answers copied (bare)`, bare)
  reportField(`${size} fields, a key pressed`, key, bare)
  reportField(`${size} fields, validated as a whole`, sent, bare)
  reportField(`${size} fields, definition parsed`, read, bare)
}

function reportField(name: string, measurement: Measurement, baseline?: Measurement): void {
  console.log(describeMeasurement(name, measurement, baseline))
}

function answersTo(form: FormDefinition): Record<string, unknown> {
  const fields = form.steps.flatMap((step) => step.fields).filter(({ type }) => type !== 'formula')
  return Object.fromEntries(fields.map(({ type, input_name: name }) => [name, right[type]]))
}
