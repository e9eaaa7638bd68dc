import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { isShortcutOpen, shortcuts } from '../features/requests/request-labels.ts'

const web = join(import.meta.dirname, '..')
/** Declares the pages, which decide by themselves. */
const routes = 'portal/routes.tsx'
/** Names the kind beside the address; `isShortcutOpen` asks. */
const requestLabels = 'features/requests/request-labels.ts'

it('every link to an opening asks whether members may open accounts of that kind', () => {
  const linking = globSync('{portal,features}/**/*.{ts,tsx}', { cwd: web }).filter(
    (path) =>
      !path.includes('.test.') && /\/accounts\/open-(live|demo)-account/.test(readFileSync(join(web, path), 'utf8')),
  )
  assert.ok(linking.includes(routes) && linking.includes(requestLabels))
  for (const path of linking.filter((each) => each !== routes && each !== requestLabels))
    for (const [, kind] of readFileSync(join(web, path), 'utf8').matchAll(/\/accounts\/open-(live|demo)-account/g))
      assert.match(
        readFileSync(join(web, path), 'utf8'),
        new RegExp(`mayOpen(\\('${kind}'\\)|Demo|\\(kind\\))`),
        `${path}: ${kind}`,
      )
})

it('a request that opens an account is offered where members may open it', () => {
  const [isOpen, shortcut] = [() => true, shortcuts.open_trading_account]
  assert.equal(isShortcutOpen(shortcut, { isOpen, mayOpen: () => true }), true)
  assert.equal(isShortcutOpen(shortcut, { isOpen, mayOpen: (kind) => kind === 'demo' }), false)
  assert.equal(isShortcutOpen(shortcuts.add_bank_account, { isOpen, mayOpen: () => false }), true)
})
