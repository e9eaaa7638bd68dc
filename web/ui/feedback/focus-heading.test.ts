import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { focusHeadingWhenLost } from './focus-heading.ts'

const web = join(import.meta.dirname, '../..')

/** Each removes the button that was pressed, or leaves it disabled: a closed ticket cannot be closed again. */
const actions = [
  'features/banking/use-banking.ts',
  'features/documents/add-dialog.tsx',
  'features/profile/use-own-sessions.ts',
  'features/requests/cancel-request.tsx',
  'features/security/factor-rows.tsx',
  'features/tickets/use-ticket-changes.ts',
  'ui/files/drop-zone.tsx',
]

describe('the focus after an action', () => {
  it('goes to the heading of the page when its button has gone, and only then', async () => {
    const focused: string[] = []
    const heading = { focus: () => focused.push('heading') }
    const body = {}
    const document = { body, activeElement: {} as object, querySelector: () => heading }
    const restore = replaceGlobals({ document })
    try {
      for (const element of [{}, body]) {
        document.activeElement = element
        focusHeadingWhenLost()
        await new Promise((resolve) => setTimeout(resolve))
      }
    } finally {
      restore()
    }
    assert.deepEqual(focused, ['heading'])
  })

  it('goes to the content of the desk, which has its heading outside and the same sessions and factors', async () => {
    const content = { isFocused: false, focus: () => (content.isFocused = true) }
    const body = {}
    const querySelector = (selectors: string) => (selectors.split(', ').includes('#desk-content') ? content : null)
    const restore = replaceGlobals({ document: { body, activeElement: body, querySelector } })
    focusHeadingWhenLost()
    await new Promise((resolve) => setTimeout(resolve))
    restore()
    assert.ok(content.isFocused)
    assert.match(readFileSync(join(web, 'desk/shell/shell.tsx'), 'utf8'), /id="desk-content"[^>]* tabIndex=\{-1\}/)
  })

  it('is kept by every action of a member that takes its own button away', () => {
    assert.deepEqual(
      actions.filter((path) => !/\bfocus(Heading)?WhenLost\b/.test(readFileSync(join(web, path), 'utf8'))),
      [],
    )
  })
})
