/**
 * `node scripts/run.js --build journeys/kit/webkit.ts`: a member's pages and main tasks in Safari's engine, run manually
 * before a release. Console errors are printed and fail the run; screenshots go to `pictures/webkit`.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { openTestApp } from './test-app.ts'
import { openWebKit, type WebKitWindow } from './webdriver.ts'

const folder = join(dirname(dirname(import.meta.dirname)), 'pictures', 'webkit')
const login = '700123'
const paths = [
  '/profile',
  '/profile/change_password',
  '/accounts',
  '/accounts/open-live-account',
  '/accounts/open-demo-account',
  '/funds/deposit',
  '/funds/deposit-demo',
  '/funds/withdraw',
  '/funds/transactions',
  '/funds/bank-accounts',
  '/funds/other-accounts',
  '/documents',
  '/support',
  '/requests',
  '/dashboard',
  '/platforms',
  '/home',
]

/** Stored on the window, since plain WebDriver cannot read the page's console. */
const keepProblems = `
  if (!window.problems) {
    window.problems = []
    const keep = (text) => window.problems.push(location.pathname + ': ' + text)
    addEventListener('error', (event) => keep(event.message), true)
    addEventListener('unhandledrejection', (event) => keep('unhandled ' + event.reason))
    addEventListener('securitypolicyviolation', (event) => keep('content policy: ' + event.violatedDirective))
    const { error } = console
    console.error = (...parts) => { keep(parts.join(' ')); error(...parts) }
  }`
/** No loading placeholder is left and the text is unchanged four times in a row, since parts arrive late. */
const isShown = `
  const lost = byText('[role=alert]', 'We couldn\u2019t load this')
  if (lost) throw new Error('lost: ' + lost.textContent)
  const text = document.body.innerText
  window.timesSame = text === window.textBefore ? (window.timesSame ?? 0) + 1 : 0
  window.textBefore = text
  const isComing = all('[aria-busy=true], .mantine-Skeleton-root').length > 0
  return document.querySelector('h1') !== null && !isComing && window.timesSame >= 3`

const problems: string[] = []

async function step(name: string, window: WebKitWindow, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    problems.push(`${name}: ${error instanceof Error ? error.message : error}`)
  }
  problems.push(...(await window.run<string[]>('return (window.problems ?? []).splice(0)')))
  writeFileSync(join(folder, `${name.replaceAll(/\W+/g, '-')}.png`), await window.screenshot())
  console.log(`  ${name}`)
}

async function signIn(window: WebKitWindow, url: string): Promise<void> {
  await window.open(`${url}/login`)
  await window.run(keepProblems)
  await window.type("byLabel('Email')", signIns.member)
  await window.type("byLabel('Password')", demoPassword)
  await window.click("byText('button', 'Sign in')")
  await window.until('the home page', `return location.pathname.startsWith('/home') && byText('h1', 'Hello')`)
}

/** Navigates as a link does: the page stays loaded, so its console errors are recorded from the start. */
async function follow(window: WebKitWindow, path: string): Promise<void> {
  const go = `${keepProblems}\nconst { title } = document; history.pushState({}, '', arguments[0]); return title`
  const before = await window.run<string>(go, path)
  await window.until(`${path} to be shown`, `${isShown} && document.title !== arguments[0]`, before)
}

async function choose(window: WebKitWindow, label: string, option: string): Promise<void> {
  await window.click(`byLabel('${label}')`)
  await window.click(`all('[role=option]').find((one) => one.textContent.includes('${option}'))`)
}

async function finish(window: WebKitWindow, button: string): Promise<void> {
  await window.click(`byText('button', '${button}')`)
  await window.until('the ticket', `return byText('[role=dialog]', 'Transaction created successfully.')`)
  await window.click("byText('[role=dialog] button', 'See my transactions')")
  await window.until('the transactions', `if (location.pathname !== '/funds/transactions') return false\n${isShown}`)
}

async function deposit(window: WebKitWindow, receipt: string): Promise<void> {
  await follow(window, '/funds/deposit')
  await choose(window, 'Trading account', login)
  await window.type("byLabel('Amount')", '250.00')
  await choose(window, 'Origin account', 'Banca Adriatica')
  await window.click(`byText('[role=radiogroup] label', 'Northwater Bank')`)
  await window.type("byLabel('Comment')", 'From WebKit')
  await window.type(`document.querySelector('input[type=file]')`, receipt)
  await window.until('the receipt', `return document.body.textContent.includes('Uploaded')`)
  await finish(window, 'CREATE DEPOSIT')
}

async function withdraw(window: WebKitWindow): Promise<void> {
  await follow(window, '/funds/withdraw')
  await choose(window, 'Trading account', login)
  await choose(window, 'Destination', 'Bank account')
  await choose(window, 'Destination account', 'Banca Adriatica')
  await window.type("byLabel('Amount')", '61.50')
  await window.type("byLabel('Comment')", 'To my bank')
  await finish(window, 'CREATE WITHDRAWAL')
}

async function signOut(window: WebKitWindow): Promise<void> {
  await window.click("byText('button', 'Profile menu of')")
  await window.click("byText('[role=menuitem]', 'Logout')")
  await window.click("byText('[role=dialog] button', 'Logout')")
  await window.until('the sign-in page', `return location.pathname === '/login'`)
}

async function walk(window: WebKitWindow, url: string): Promise<void> {
  const files = mkdtempSync(join(tmpdir(), 'atrium-webkit-'))
  const receipt = join(files, 'receipt.png')
  writeFileSync(receipt, makePng({ width: 16, height: 16 }))
  await step('sign in', window, () => signIn(window, url))
  for (const path of paths) await step(path, window, () => follow(window, path))
  await step('deposit', window, () => deposit(window, receipt))
  await step('withdraw', window, () => withdraw(window))
  for (const path of paths)
    await step(`anew ${path}`, window, async () => {
      await window.open(url + path)
      await window.until(`${path} to be shown`, isShown)
    })
  await step('sign out', window, () => signOut(window))
  rmSync(files, { recursive: true })
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// On a bare host, since not every WebKit resolves names below localhost.
const testApp = await openTestApp({ environment: {} })
try {
  const window = await openWebKit()
  try {
    await walk(window, testApp.url)
  } finally {
    await window.close()
  }
} finally {
  await testApp.close()
}
console.log(problems.length === 0 ? 'No problems.' : problems.join('\n'))
if (problems.length > 0) process.exitCode = 1
