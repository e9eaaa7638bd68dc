import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const root = dirname(import.meta.dirname)
const read = (pattern: string): string =>
  globSync(pattern, { cwd: root, exclude: ['web/dist/**'] })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')

const names = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, name = '']) => name))

/** Mantine reads these two: its focus trap, and its drawer and modal for the keys that they leave alone. */
const ofMantine = new Set(['data-autofocus', 'data-mantine-stop-propagation'])

describe('data attributes', () => {
  it('are those that a stylesheet or a selector reads, as TypeScript accepts any attribute with a hyphen', () => {
    const sources = read('web/**/*.{ts,tsx}')
    const written = names(sources, /\s'?(data-[a-z-]+)'?(?==|\s|>|:\s)/g)
    const selected = names(read('web/**/*.css') + sources, /(?:\[|attr\()(data-[a-z-]+)/g)
    const asked = names(sources, /\.dataset\.([a-z]+)/g)
    const isRead = (name: string) => selected.has(name) || asked.has(name.slice('data-'.length)) || ofMantine.has(name)
    assert.ok(written.has('data-stack') && selected.has('data-stack'))
    assert.deepEqual(
      [...written].filter((name) => !isRead(name)),
      [],
    )
  })
})
