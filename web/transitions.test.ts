import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { MANTINE_TRANSITIONS } from '@mantine/core'
import { transitions } from './transitions.ts'

const root = dirname(import.meta.dirname)
const all = Object.keys(MANTINE_TRANSITIONS)
const names = all.join('|')

function namedIn(pattern: string, exclude: string[], name: RegExp): string[] {
  const texts = globSync(pattern, { cwd: root, exclude }).map((path) => readFileSync(join(root, path), 'utf8'))
  return texts.flatMap((text) => [...text.matchAll(name)].map(([, found = '']) => found))
}

const components = 'node_modules/@mantine/core/esm/components'
const named = new Set([
  ...namedIn('web/**/*.{ts,tsx}', ['web/dist/**'], new RegExp(`transition: '(${names})'`, 'g')),
  ...namedIn(`${components}/**/*.mjs`, [`${components}/Transition/**`], new RegExp(`"(${names})"`, 'g')),
])

it('the transitions in the build are all that components and theme name', () => {
  assert.ok(all.length > transitions.length && named.has('fade-up') && named.has('slide-left'))
  assert.deepEqual([...named].sort(), transitions)
})
