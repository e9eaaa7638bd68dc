import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useRemoval } from './use-removal.ts'

it('the focus stays in the list when the row with the pressed button is removed, and only then moves', () => {
  const body = {}
  const document = { body, activeElement: {} as object, querySelector: () => null }
  const restore = replaceGlobals({ document })
  const focused: string[] = []
  const left: string[][] = []
  let removal: ReturnType<typeof useRemoval<string>> | undefined
  const page = hookUnderTest(
    (rows: string[]) => useRemoval(rows, (next) => left.push(next)),
    (shown) => {
      removal = shown
    },
  )
  try {
    page.show(['EUR', 'USD'])
    assert.ok(removal)
    removal.adding.current = { focus: () => focused.push('add') } as unknown as HTMLButtonElement
    removal.remove(0)
    assert.deepEqual([left, focused], [[['USD']], []])
    document.activeElement = body
    removal.remove(1)
    assert.deepEqual([left.at(-1), focused], [['EUR'], ['add']])
  } finally {
    page.close()
    restore()
  }
})

it('the buttons that remove a row of the settings have names that tell them apart', () => {
  const files = globSync('*.tsx', { cwd: import.meta.dirname })
  const buttons = files.flatMap((file) =>
    [
      ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(
        /<Button\b(?:(?!<Button\b)[\s\S])*?\{t\('Remove'\)\}/g,
      ),
    ].map(([button]) => ({ file, button })),
  )
  assert.deepEqual(buttons.map(({ file }) => file).sort(), ['thresholds.tsx', 'withdrawals-section.tsx'])
  for (const { file, button } of buttons) assert.match(button, /aria-label=\{t\('Remove [^']*\{\{/, file)
})
