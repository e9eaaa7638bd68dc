// spec: DK frame
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { acceptCreated, chooseByKeys, depositForm, goodReceipt, transactionRow } from '../kit/depositing.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member funds an account and staff approve it by keyboard only', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it("works with Tab, arrows, Enter and the desk's shortcuts", async () => {
    const { page } = await testApp.visit()
    await page.goto('/login')
    await signInByKeys(page, signIns.member)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Amelia')
    await page.reload() // A fresh page: nothing has the focus yet.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
    await tabTo(page, page.getByRole('link', { name: 'Quick Deposit' }))
    await page.keyboard.press('Enter')
    const ticket = await depositByKeys(page)
    await expect(transactionRow(page, ticket)).toContainText('+88.08')

    const { page: desk } = await testApp.visit()
    await desk.goto('/desk')
    await signInByKeys(desk, signIns.staff)
    await expect(desk.getByRole('article')).toBeVisible()
    await walkTo(desk, ticket)
    await approveByKeys(desk, ticket)
    await expect(transactionRow(page, ticket)).toContainText('Approved')
  })

  it('keeps an open list at its field far down the page, however fast the keys arrive', async () => {
    const { page } = await testApp.visit()
    await page.goto('/login')
    await signInByKeys(page, signIns.member)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, Amelia')
    await page.goto('/funds/deposit')
    const { origin } = depositForm(page)
    await expect(page.getByRole('radio', { name: 'Zota' })).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await origin.focus()
    const place = await origin.boundingBox()
    for (let round = 0; round < 10; round++) {
      await page.evaluate(threeQuickArrows)
      await expect(page.getByRole('option', { name: /Banca Adriatica/ })).toBeVisible()
      assert.deepEqual(await origin.boundingBox(), place)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('option')).toHaveCount(0)
    }
  })

  async function signInByKeys(page: Page, email: string): Promise<void> {
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(demoPassword)
    await page.keyboard.press('Enter')
  }

  async function depositByKeys(page: Page): Promise<string> {
    const form = depositForm(page)
    await expect(form.account).toBeVisible()
    await tabTo(page, form.account)
    await chooseByKeys(page, form.account, /#700123/)
    await expect(form.account).toBeFocused() // Choosing an option must not scroll back to the top of the page.
    // Payment methods that load late push down the content below them, including an open list.
    await expect(page.getByRole('radio', { name: 'Zota' })).toBeVisible()
    await tabTo(page, form.amount)
    await page.keyboard.type('88.08')
    await tabTo(page, page.getByRole('radiogroup', { name: 'Method' }).getByRole('radio', { checked: true }))
    for (let step = 0; step < 10 && !(await form.transfer.isChecked()); step++) await page.keyboard.press('ArrowDown')
    await tabTo(page, form.origin)
    await chooseByKeys(page, form.origin, /Banca Adriatica/)
    await tabTo(page, form.destination.getByRole('radio').first())
    await page.keyboard.press('Space')
    await tabTo(page, form.comment)
    await page.keyboard.type('Without a mouse')
    await tabTo(page, page.getByRole('button', { name: /^Choose a file/ }))
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(goodReceipt)
    await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
    await tabTo(page, form.create)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'See my transactions' })).toBeFocused()
    return acceptCreated(page)
  }

  /** `j` moves down the queue, and `k` moves back once. */
  async function walkTo(desk: Page, ticket: string): Promise<void> {
    const links = desk.getByRole('list', { name: 'Deposits' }).getByRole('link')
    const chosen = links.and(desk.locator('[aria-current]'))
    // A row also shows its age, which changes, so the ticket number identifies it.
    const ticketOf = (text: string | null) => /T-\d+/.exec(text ?? '')?.[0] ?? 'no ticket'
    const first = ticketOf(await chosen.textContent())
    await desk.keyboard.press('j')
    await expect(chosen).not.toContainText(first)
    await desk.keyboard.press('k')
    await expect(chosen).toContainText(first)
    const length = await links.count()
    for (let step = 1, at = first; step < length && at !== `T-${ticket}`; step++) {
      await desk.keyboard.press('j')
      await expect(chosen).not.toContainText(at)
      at = ticketOf(await chosen.textContent())
    }
    await expect(desk.getByRole('article', { name: `Deposit T-${ticket}` })).toBeVisible()
  }

  async function approveByKeys(desk: Page, ticket: string): Promise<void> {
    const dialog = desk.getByRole('dialog', { name: new RegExp(`^Approve deposit T-${ticket}`) })
    await desk.keyboard.press('a')
    await expect(dialog.getByRole('button', { name: 'Not now' })).toBeFocused()
    await desk.keyboard.press('Enter') // The default answer is the safe one: nothing is decided.
    await expect(dialog).toBeHidden()
    await expect(desk.getByRole('article', { name: `Deposit T-${ticket}` })).toContainText('Pending')
    await desk.keyboard.press('a')
    await expect(dialog.getByRole('button', { name: 'Not now' })).toBeFocused()
    await tabTo(desk, dialog.getByRole('button', { name: 'Approve and credit' }))
    await desk.keyboard.press('Enter')
    await expect(desk.getByText(`T-${ticket} approved.`)).toBeVisible() // Visible for five seconds.
    await expect(dialog).toBeHidden()
  }
})

const tabsMax = 60

/** Presses arrow keys without waiting for a frame, so that no layout runs between them. */
const threeQuickArrows = `(async () => {
  for (let pressed = 0; pressed < 3; pressed++) {
    document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'ArrowDown', code: 'ArrowDown', bubbles: true, cancelable: true }),
    )
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
})()`

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < tabsMax; presses++) {
    await page.keyboard.press('Tab')
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
  }
  throw new Error(`Tab does not reach ${wanted}`)
}
