import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const root = dirname(import.meta.dirname)
/** `tooltip` is placed by script, in coordinates of the window. */
const files = globSync('web/**/*.css', { cwd: root, exclude: ['web/dist/**', 'web/ui/tooltip/**'] })

const physical =
  /(?:^|[\s;{])((?:(?:margin|padding|border|scroll-margin|scroll-padding)-)?(?:left|right)(?:-(?:width|color|style))?\s*:|border-(?:top|bottom)-(?:left|right)-radius\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)/

/** The parts of a value; a function with its arguments is one. */
function partsOf(value: string): string[] {
  let depth = 0
  const parts = ['']
  for (const char of value.trim()) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === ' ' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts.filter((part) => part !== '')
}

function isLopsided(line: string): boolean {
  const [, value] = line.match(/^\s*(?:margin|padding|inset|scroll-margin|scroll-padding):\s*([^;]+)/) ?? []
  const [, end, , start] = value ? partsOf(value) : []
  // The three-value and shorter forms give both sides the same.
  return start !== undefined && start !== end
}

const isPhysical = (line: string): boolean => physical.test(line) || isLopsided(line)

describe('the styles', () => {
  it('are recognised where they name a side of the screen', () => {
    for (const line of [
      '  margin-left: 4px;',
      '  left: 0;',
      'a { text-align: right; }',
      '  padding: 0 1px 0 calc(2px + 1px);',
    ])
      assert.ok(isPhysical(line), line)
    for (const line of ['  margin-inline: 4px;', '  padding: 0 1px;', '  margin: 0 calc(1px * 2) 3px;', '  top: 0;'])
      assert.ok(!isPhysical(line), line)
  })

  it('name the start and the end of a line, so that right-to-left languages mirror the layout', () => {
    assert.ok(files.length > 80, `${files.length} files`)
    const found = files.flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (isPhysical(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    )
    assert.deepEqual(found, [])
  })

  it('name no side of the screen in a text, and draw no arrow as one', () => {
    const pointing = /(['"`])(?:(?!\1).)*(?:\\u219[02]|[\u2190\u2192]|\bto the (?:left|right)\b)/
    const sources = globSync('web/{desk,features,forms,portal,ui,viewer}/**/*.{ts,tsx}', { cwd: root })
    const found = sources
      .filter((file) => !file.includes('.test.'))
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(?:\/\*\*|\*|\/\/)/.test(line) && pointing.test(line))
          .map((line) => `${file} ${line.trim()}`),
      )
    assert.deepEqual(found, [])
  })

  it('mirror every icon that points along the text', () => {
    const styles = readFileSync(join(root, 'web/ui/layout/base.css'), 'utf8')
    const mirrored = new Set([...styles.matchAll(/\.(tabler-icon-[\w-]+)/g)].map(([, name]) => name))
    const pointing = globSync('web/{desk,features,forms,portal,ui}/**/*.{ts,tsx}', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\bIcon(\w*(?:Left|Right)\w*)/g)].map(([, name = '']) => ({
        file,
        name: `tabler-icon${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      })),
    )
    assert.ok(pointing.some(({ name }) => name === 'tabler-icon-chevron-right'))
    assert.deepEqual(
      pointing.filter(({ name }) => !mirrored.has(name)),
      [],
    )
  })
})
