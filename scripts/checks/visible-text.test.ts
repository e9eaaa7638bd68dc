import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

/**
 * All visible texts must use `t()`: the linter refuses text between tags (`noJsxLiterals`), and this test finds it in
 * visible or accessible attributes, toasts and page titles.
 */
const spoken =
  'aria-label|aria-description|aria-valuetext|aria-roledescription|alt|title|label|placeholder|description|help|holds|about|legend|error|loadingText|nothingFoundMessage|checkedLabel'
const hasWord = /\p{L}{2,}/u

const attribute = new RegExp(`\\s(?:${spoken})=(?:"([^"]*)"|'([^']*)'|\\{\\s*(['"\`])((?:(?!\\3).)*)\\3\\s*\\})`, 'g')
const said = /\b(?:toast\.\w+|alert|document\.title =)\(?\s*(['"`])((?:(?!\1).)*)\1/g

/** The product's name, which is not translated. */
const names = ['Atrium']

/** A template literal without its placeholders, which may contain braces. */
function outsidePlaces(text: string): string {
  const less = text.replace(/\{[^{}]*\}/g, '')
  return less === text ? text : outsidePlaces(less)
}

function untranslated(source: string): string[] {
  const texts = [
    ...[...source.matchAll(attribute)].map((match) => match[1] ?? match[2] ?? match[4] ?? ''),
    ...[...source.matchAll(said)].map((match) => match[2] ?? ''),
  ]
  return texts.map(outsidePlaces).filter((text) => hasWord.test(text) && !names.includes(text))
}

describe('all visible text of the web uses t()', () => {
  it('finds no untranslated text in attributes, notifications and titles', () => {
    const sources = globSync('web/**/*.{ts,tsx}', { cwd: root }).filter(
      (path) => !/node_modules|\/dist\/|generated|\.test\.ts$/.test(path),
    )
    assert.ok(sources.length > 100)
    const found = sources.flatMap((path) =>
      untranslated(readFileSync(join(root, path), 'utf8')).map((text) => `${path}: ${text}`),
    )
    assert.deepEqual(found, [])
  })

  const place = '$' + "{t('One {{two}}', { two })}"
  it('detects each kind of untranslated text', () => {
    const wrong = [
      '<Button aria-label="Close it" />',
      "<Modal title={'Close it'}>",
      `<TextInput placeholder={\`Close ${place}\`} />`,
      "toast.done('Saved')",
      "document.title = 'Home'",
      '<img alt="A picture" />',
    ]
    for (const source of wrong) assert.equal(untranslated(source).length, 1, source)
    const right = [
      '<Button aria-label={t("Close it")} />',
      '<TextInput placeholder="+356 2122 4455" />',
      '<img alt="" />',
      `<span title={\`${place} · ${place}\`} />`,
      "toast.done(t('Saved'))",
      '<a data-title="none" />',
    ]
    for (const source of right) assert.deepEqual(untranslated(source), [], source)
  })
})
