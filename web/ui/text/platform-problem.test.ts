import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createElement, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { makePageElement, replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import './i18n.ts'
import { PlatformProblem } from './platform-problem.ts'
import { problemText, type SaidProblem } from './platform-problem-sentence.ts'

const root = join(import.meta.dirname, '../../..')

describe('the problem of a platform', () => {
  it('is a sentence with the platform’s code', () => {
    assert.deepEqual(problemText('amount_limit (10024)'), {
      text: 'The amount is over the platform’s limit.',
      code: '10024',
    })
    assert.deepEqual(problemText('timeout'), { text: 'The platform did not answer in time.', code: null })
  })

  it('is spelled as words if this version does not know it', () => {
    assert.deepEqual(problemText('brand_new_reason (7)'), { text: 'brand new reason (7)', code: null })
    for (const problem of ['Look-up found several deals of ref_1.', 'constructor'])
      assert.deepEqual(problemText(problem), { text: problem, code: null })
  })

  it('has a sentence for every reason of the contract and of the links', () => {
    const contract = readFileSync(join(root, 'server/trading-platforms/contract.ts'), 'utf8')
    const [reasons = ''] = /export type Reason =[^}]*?\n\n/.exec(contract) ?? []
    const names = [...reasons.matchAll(/\| '(\w+)'/g)].map(([, name = '']) => name)
    assert.ok(names.includes('weak_password') && names.length > 15, reasons)
    const bare = [...names, 'not_connected', 'circuit_open', 'group_unknown'].filter(
      (name) => problemText(name).text === name.replaceAll('_', ' '),
    )
    assert.deepEqual(bare, [])
  })

  it('is put into words in one place', () => {
    const features = join(root, 'web/features')
    const raw = globSync('desk-*/*.tsx', { cwd: features }).filter((file) =>
      /(?:replaceAll\('_', ' '\)|problem: \w+\.last_problem\b|problemText)/.test(
        readFileSync(join(features, file), 'utf8'),
      ),
    )
    assert.deepEqual(raw, [])
  })
})

let page: Root
let restore: () => void
let said: SaidProblem[] = []
let onSaid: () => void = () => undefined

function Said({ of }: { of: SaidProblem }) {
  useLayoutEffect(() => {
    said.push(of)
    onSaid()
  })
  return null
}
const show = (problem: string) =>
  flushSync(() => page.render(createElement(PlatformProblem, { problem, show: (of) => createElement(Said, { of }) })))

describe('the text of a problem on a page', () => {
  beforeEach(() => {
    said = []
    restore = replaceGlobals({ window: {}, document: { querySelector: () => null } })
    page = createRoot(makePageElement() as never)
  })
  afterEach(() => {
    flushSync(() => page.unmount())
    restore()
  })

  it('comes with its sentence, and never shows the code meanwhile', async () => {
    const isSaid = new Promise<void>((resolve) => {
      onSaid = resolve
    })
    show('weak_password (3006)')
    await isSaid
    assert.deepEqual(said, [{ text: 'The password is too weak for the platform.', code: '3006' }])
    flushSync(() => page.render(null))
    said = []
    show('timeout')
    assert.deepEqual(said, [{ text: 'The platform did not answer in time.', code: null }])
  })

  it('is there at once for a sentence', () => {
    show('Not found under ref_1.')
    assert.deepEqual(said, [{ text: 'Not found under ref_1.', code: null }])
  })
})
