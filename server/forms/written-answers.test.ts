import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aField, aForm } from '../../tests/fixtures/form-definitions.ts'
import { addForm } from '../../tests/fixtures/forms.ts'
import { openRequestFixture, type RequestFixture } from '../../tests/fixtures/request-fixture.ts'
import { addStaff, openTestSession } from '../../tests/fixtures/workspaces.ts'

let fixture: RequestFixture
let token: string

before(async () => {
  fixture = await openRequestFixture()
  const { staffId } = await addStaff(fixture.system, { role: 'administrator' })
  token = (await openTestSession(fixture.system, { kind: 'staff', id: staffId })).token
})
after(() => fixture.close())

/** The cells of an exported submission, from the form's first field on. */
async function exported(definition: ReturnType<typeof aForm>, data: object): Promise<string[] | undefined> {
  const form = await addForm(fixture.system, { definition, show_on: 'members-portal', is_request: false })
  const sent = await fixture.submit(await fixture.enter(), { form, data })
  assert.equal(sent.status, 200, sent.raw)
  const { raw } = await fixture.caller.get(`/desk/api/forms/${form}/answers`, token)
  return raw.trim().split('\r\n')[1]?.split(',').slice(6)
}

describe('an exported answer', () => {
  it('writes a range of days from its first to its last', async () => {
    const absence = { from: '2026-01-05', to: '2026-01-31' }
    const cells = await exported(aForm([aField('date_range', 'absence')]), { absence })
    assert.deepEqual(cells, ['2026-01-05 - 2026-01-31', ''])
  })

  it('writes negative numbers as numbers, which a spreadsheet adds up, and no other text', async () => {
    const fields = [
      aField('decimal', 'result'),
      aField('formula', 'twice', { config: { formula: '{result} * 2' } }),
      aField('text', 'note'),
    ]
    const cells = await exported(aForm(fields), { result: '-12000.50', note: '-5' })
    assert.deepEqual(cells, ['-12000.50', '-24001', "'-5", ''])
  })
})
