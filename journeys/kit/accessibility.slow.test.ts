import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright'
import { findingsInLight } from './accessibility.ts'
import { launchBrowser } from './browser.ts'

let browser: Browser
before(async () => {
  browser = await launchBrowser()
})
after(() => browser.close())

const inner = '<!doctype html><html lang="en"><title>Inner</title><main><h1>Inner</h1><input></main></html>'
const outer = `<!doctype html><html lang="en"><title>Outer</title><main><h1>Outer</h1><button></button>
  <p style="color: #ccc; background: #fff">Too light</p><iframe title="Inner" src="/inner"></iframe></main></html>`

test('finds a button without a name, a text without contrast and an input without a label in a frame', async () => {
  const page = await browser.newPage()
  // Axe merges the results of a frame only from the same origin, which a page without an address does not have.
  await page.route('http://localhost/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: route.request().url().endsWith('/inner') ? inner : outer }),
  )
  await page.goto('http://localhost/outer')
  const findings = (await findingsInLight(page, 'faulty')).map((each) => each.split(' at ')[0])
  assert.deepEqual(findings.toSorted(), [
    'faulty, light: button-name',
    'faulty, light: color-contrast',
    'faulty, light: label',
  ])
})
