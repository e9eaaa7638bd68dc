/**
 * `npm run pictures`: takes every screen in every state at three widths, light and dark, and a contact sheet per
 * screen. Names select screens (`npm run pictures -- home deposit`), and `--documents` takes only the pictures of
 * docs/.
 */

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright'
import { signInAsMember, signInAsStaff } from './kit/people.ts'
import { openScreen, screens } from './kit/screens.ts'
import { openTestApp, type TestApp } from './kit/test-app.ts'
import type { Screen, Viewer } from './screens/screen.ts'

const root = dirname(import.meta.dirname)
const folder = join(root, 'pictures')
const documents = join(root, 'docs', 'pictures')
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]
const schemes = ['light', 'dark'] as const
const viewers: Viewer[] = ['nobody', 'member', 'new', 'sales', 'staff']
/** Crops taller pages, whose lower part repeats. */
const heightMax = 2_400

/** The pictures in the README and the guides. */
const shown: Record<string, string> = {
  'login-full-1280-light': 'login',
  'home-full-1280-light': 'home',
  'accounts-full-1280-light': 'accounts',
  'account-full-1280-light': 'account',
  'dashboard-full-1280-light': 'dashboard',
  'deposit-filled-1280-light': 'deposit',
  'desk-deposits-deposit-1280-light': 'desk',
  'home-full-1280-dark': 'home-dark',
  'home-full-390-light': 'home-phone',
  'open-account-full-1280-light': 'open-account',
  'account-trades-full-1280-light': 'trades',
  'withdraw-filled-1280-light': 'withdraw',
  'bank-accounts-full-1280-light': 'bank-accounts',
  'transactions-withdrawal-1280-light': 'transactions',
  'documents-full-1280-light': 'documents',
  'requests-full-1280-light': 'requests',
  'support-ticket-1280-light': 'ticket',
  'profile-full-1280-light': 'profile',
  'desk-setup-full-1280-light': 'desk-setup',
  'desk-withdrawals-withdrawal-1280-light': 'desk-withdrawal',
  'desk-payments-to-decide-1280-light': 'desk-payment',
  'desk-reconciliation-full-1280-light': 'desk-reconciliation',
  'desk-member-documents-full-1280-light': 'desk-documents',
  'desk-members-member-1280-light': 'desk-member',
  'desk-requests-one-request-1280-light': 'desk-request',
  'desk-tickets-taken-1280-light': 'desk-ticket',
  'desk-form-full-1280-light': 'desk-form',
  'desk-terms-editor-1280-light': 'desk-terms',
  'desk-provider-connection-1280-light': 'desk-provider',
  'desk-staff-full-1280-light': 'desk-staff',
}
const shownBytesMax = 220_000

type Shot = { screen: Screen; width: number; scheme: string; file: string }

const given = process.argv.slice(2)
const isForDocuments = given.includes('--documents')
const wanted = given.filter((word) => word !== '--documents')
const chosen = screens.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
async function main(testApp: TestApp): Promise<void> {
  if (given.length === 0) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const shots: Shot[] = []
  for (const size of sizes)
    for (const scheme of schemes)
      for (const viewer of viewers) shots.push(...(await takeAll(testApp, { size, scheme, viewer })))
  for (const name of new Set(shots.map(({ screen }) => screen.name))) {
    const ofScreen = shots.filter(({ screen }) => screen.name === name)
    await makeSheet(testApp, name, ofScreen)
  }
  console.log(documents)
}

type Sitting = { size: { width: number; height: number }; scheme: 'light' | 'dark'; viewer: Viewer }

async function takeAll(on: TestApp, { size, scheme, viewer }: Sitting): Promise<Shot[]> {
  const keyOf = (screen: Screen) => `${slug(screen)}-${size.width}-${scheme}`
  const mine = chosen.filter(
    (screen) => screen.viewer === viewer && (!isForDocuments || shown[keyOf(screen)] !== undefined),
  )
  if (mine.length === 0) return []
  const { page, context } = await on.visit({ ...size, scheme })
  if (viewer === 'staff') await signInAsStaff(page)
  else if (viewer !== 'nobody') await signInAsMember(page, viewer)
  const shots: Shot[] = []
  for (const screen of mine) {
    const file = join(folder, `${keyOf(screen)}.png`)
    await openScreen(page, screen)
    await takeShown(page, keyOf(screen))
    if (isForDocuments) continue
    await takeWhole(page, { ...size, file })
    shots.push({ screen, width: size.width, scheme, file })
  }
  await context.close()
  console.log(`  ${size.width} ${scheme}, ${viewer}: ${mine.length} pictures`)
  return shots
}

const slug = ({ name, state }: Screen): string => `${name}-${state}`.replaceAll(' ', '-')

/** Resizes the window to the page's height, so that sticky bars stay at its edges. */
async function takeWhole(page: Page, { width, height, file }: { width: number; height: number; file: string }) {
  // A sheet or dialog belongs to the window, however long the page behind it is.
  const isCovered = (await page.getByRole('dialog').count()) > 0
  const tall = isCovered ? height : await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.min(Math.max(height, tall), heightMax) })
  await page.screenshot({ path: file, animations: 'disabled' })
  await page.setViewportSize({ width, height })
}

async function makeSheet(on: TestApp, name: string, shots: Shot[]): Promise<void> {
  const { page, context } = await on.visit({ width: 1_680, height: 900 })
  const rows = [...new Set(shots.map(({ screen, scheme }) => `${screen.state}, ${scheme}`))].sort()
  const sections = rows.map((row) => {
    const ofRow = shots.filter(({ screen, scheme }) => row === `${screen.state}, ${scheme}`)
    return `<h2>${name}: ${row}</h2><div>${ofRow.map(picture).join('')}</div>`
  })
  await page.setContent(`<style>${sheetStyle}</style>${sections.join('')}`)
  const file = join(folder, `sheet-${name.replaceAll(' ', '-')}.png`)
  await page.screenshot({ path: file, fullPage: true })
  await context.close()
  console.log(file)
}

const scales: Record<number, number> = { 390: 0.6, 1280: 0.48, 1920: 0.4 }

function picture({ file, width }: Shot): string {
  const source = `data:image/png;base64,${readFileSync(file).toString('base64')}`
  return `<img alt="" width="${Math.round(width * (scales[width] ?? 0.5))}" src="${source}">`
}

const sheetStyle = `
  body { margin: 0; padding: 16px; font: 14px sans-serif; background: #8a8f98; color: #fff }
  h2 { font-size: 16px; margin: 16px 0 8px }
  div { display: flex; gap: 12px; align-items: flex-start }
  img { display: block }`

/** The visible part without scrolling. Readers may be on slow connections, so a large file is a mistake. */
async function takeShown(page: Page, key: string): Promise<void> {
  const name = shown[key]
  if (!name) return
  mkdirSync(documents, { recursive: true })
  await page.evaluate('scrollTo(0, 0)')
  const { length } = await page.screenshot({ path: join(documents, `${name}.png`), animations: 'disabled' })
  if (length > shownBytesMax) throw new Error(`${name}.png has ${length} bytes, too many for a page.`)
}

const testApp = await openTestApp()
try {
  await main(testApp)
} finally {
  await testApp.close()
}
