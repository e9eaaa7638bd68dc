import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const web = join(import.meta.dirname, '../..')

/** The top-level functions of a file, each with its own text. */
const functionsOf = (text: string): string[] => text.split(/\n(?=(?:export )?(?:async )?function )/)

const waits = /if \(!\w+\) return <\w*Skeleton/
const asks = /const \{[^}]*\bdata\b[^}]*\} = use/
const namesError = /\b(?:error|isError|failure)\b/

test('a part that waits for an answer says so when it fails, instead of waiting for ever', () => {
  const files = globSync('{desk,features,portal,viewer}/**/*.tsx', { cwd: web })
  const waiting = files.flatMap((file) =>
    functionsOf(readFileSync(join(web, file), 'utf8'))
      .filter((text) => waits.test(text) && asks.test(text))
      .map((text) => ({ name: `${file} ${/function (\w+)/.exec(text)?.[1]}`, text })),
  )
  assert.ok(waiting.length > 5, `only ${waiting.length} were found`)
  assert.deepEqual(
    waiting.filter(({ text }) => !namesError.test(text)).map(({ name }) => name),
    [],
  )
})

test('a part of the desk that could not be read again keeps what it shows', () => {
  const files = globSync('{desk,features/desk-*}/**/*.tsx', { cwd: web })
  const hidesData = /if \((?:\w+\.)?(?:isError|error)\) return </
  assert.ok(files.length > 100, `only ${files.length} were found`)
  assert.deepEqual(
    files.filter((file) => hidesData.test(readFileSync(join(web, file), 'utf8'))),
    [],
  )
})

test('an alert that could not be read does not pass for one that has nothing to say', () => {
  const files = globSync('{desk,features/desk-*}/**/*.tsx', { cwd: web })
  const alerts = files.flatMap((file) => functionsOf(readFileSync(join(web, file), 'utf8')))
  const isAlert = (text: string) => /^function \w*Alert\(/.test(text)
  assert.ok(alerts.some(isAlert))
  assert.ok(alerts.filter(isAlert).every((text) => /if \(!data && error\)\s+return \(/.test(text)))
})
