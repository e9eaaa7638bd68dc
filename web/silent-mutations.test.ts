// spec: DK workspace
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'

const read = (place: string) => readFileSync(`${import.meta.dirname}/${place}`, 'utf8')

/** The text between the opening bracket at this index and the one that closes it. */
function argumentsAt(source: string, start: number): string {
  let depth = 1
  let at = start
  for (; depth > 0 && at < source.length; at += 1) depth += { '(': 1, ')': -1 }[source[at] ?? ''] ?? 0
  return source.slice(start, at - 1)
}

/** The hook that returns this mutation, if its feature has one that reports failures by itself. */
function reportsItself(place: string, source: string, name: string): boolean {
  const hook = new RegExp(`const ${name} = (use\\w+)\\(`).exec(source)?.[1]
  const files = globSync(`${dirname(place)}/*.ts`, { cwd: import.meta.dirname })
  const body = files.map((file) => read(file).split(`function ${hook}(`)[1]?.split('\n}\n')[0]).find(Boolean)
  return hook !== undefined && /toast\.(?:refused|warning)\(/.test(body ?? '')
}

test('a button of the desk whose request fails says so', () => {
  const places = globSync('features/desk-*/*.tsx', { cwd: import.meta.dirname })
  let found = 0
  const silent: string[] = []
  for (const place of places) {
    const source = read(place)
    for (const { 0: call, 1: name = '', index } of source.matchAll(/\b(\w+)\.mutate\(/g)) {
      found += 1
      const isShown = source.includes(`${name}.error`) || source.includes(`${name}.isError`)
      const isHandled = argumentsAt(source, index + call.length).includes('onError')
      if (!isShown && !isHandled && !reportsItself(place, source, name)) silent.push(`${place}: ${name}`)
    }
  }
  assert.ok(found > 20, `only ${found} were found`)
  assert.deepEqual(silent, [])
})
