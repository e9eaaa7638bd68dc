import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const web = join(import.meta.dirname, '..')

/** What shows the messages that no field shows, until the form is sent again: a toast alone is gone after seconds. */
const showsThem = /<Refusal\b|<SaveProblem\b|<CallDialog\b|<DialogForm\b|<SavedForm\b|\.refusal\b/

it('every form of a member keeps the reason of a refusal in sight', () => {
  const forms = globSync('{forms,portal,viewer,features/!(desk-*)}/**/*.tsx', { cwd: web }).filter((path) =>
    /\buseCallForm\(/.test(readFileSync(join(web, path), 'utf8')),
  )
  assert.ok(forms.length > 10, `only ${forms.length} forms were found`)
  assert.deepEqual(
    forms.filter((path) => !showsThem.test(readFileSync(join(web, path), 'utf8'))),
    [],
  )
})
