import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Browser, chromium } from 'playwright'
import { launchBrowser } from './browser.ts'
import { unpackChromium } from './bundled-chromium.ts'

const browsers: Browser[] = []
after(() => Promise.all(browsers.map((browser) => browser.close())))

const untilDrawn = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))'

async function picture(browser: Browser, text: string) {
  browsers.push(browser)
  const page = await browser.newPage({ viewport: { width: 200, height: 50 } })
  await page.setContent(`<p style="font: 20px sans-serif; width: max-content">${text}</p>`)
  await page.evaluate(untilDrawn) // Chromium refuses a screenshot before a cold start’s first frame.
  return (await page.screenshot()).toString('base64')
}

test('renders a page with its text', async () => {
  const browser = await launchBrowser()
  assert.notEqual(await picture(browser, 'Harbour'), await picture(browser, ''))
})

test('blocks requests to other machines', async () => {
  const browser = await launchBrowser()
  browsers.push(browser)
  const page = await browser.newPage()
  await assert.rejects(page.goto('http://example.com/'), /ERR_NAME_NOT_RESOLVED/)
})

test('reports a configured browser that does not exist', async () => {
  const before = process.env.CHROMIUM_PATH
  process.env.CHROMIUM_PATH = '/nowhere/chromium'
  try {
    await assert.rejects(launchBrowser(), /CHROMIUM_PATH names \/nowhere\/chromium/)
  } finally {
    if (before === undefined) delete process.env.CHROMIUM_PATH
    else process.env.CHROMIUM_PATH = before
  }
})

test('two concurrent unpacks both get a complete browser with working fonts and libraries', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'atrium-unpack-'))
  try {
    const [first, second] = await Promise.all([unpackChromium(cache), unpackChromium(cache)])
    assert.deepEqual(first, second)
    assert.equal(readdirSync(cache).length, 1)
    if (process.platform !== 'linux' || process.arch !== 'x64') return // The bundled program runs only on Linux x64.
    const env = { FONTCONFIG_PATH: first.fonts, LD_LIBRARY_PATH: first.libraries, HOME: cache }
    const browser = await chromium.launch({ executablePath: first.program, env, args: ['--disable-gpu'] })
    assert.notEqual(await picture(browser, 'Harbour'), await picture(browser, ''))
    await browser.close()
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
})
