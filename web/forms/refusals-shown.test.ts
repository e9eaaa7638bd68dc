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

it('a second step that has expired says so above the password form, not in a toast', () => {
  const sourceOf = (path: string) => readFileSync(join(web, path), 'utf8')
  assert.doesNotMatch(sourceOf('features/security/second-step.tsx'), /\btoast\b/)
  for (const screen of ['portal/sign-in-screen.tsx', 'desk/sign-in-page.tsx'])
    assert.match(sourceOf(screen), /onBack=\{\(why\)[\s\S]+notice=\{why/, screen)
})

it('the message below a group of fields is announced when it appears', () => {
  const silent = globSync('features/**/*.tsx', { cwd: web }).filter((path) =>
    /<(?:p|span) className=\{parts\.problem\}>/.test(readFileSync(join(web, path), 'utf8')),
  )
  assert.deepEqual(silent, [])
})
