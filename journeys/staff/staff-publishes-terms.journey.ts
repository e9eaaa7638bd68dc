// spec: MP 3, MP 6, AO 3, DK terms
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

let testApp: TestApp
before(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.endVisits())
after(() => testApp.close())

const name = 'Terms of withdrawals'
const tickbox = 'I have read how withdrawals work.'
const hostile = [
  '<h2>How we pay out</h2>',
  '<p style="color:red" onclick="alert(1)">We pay out within ten days.</p>',
  '<script>alert(2)</script><img src=x onerror="alert(3)"><svg onload="alert(4)"></svg>',
  '<p><a href="javascript:alert(5)">press here</a> or <a href="https://harbour.example/fees">see the fees</a></p>',
  '<iframe srcdoc="<script>alert(6)</script>"></iframe>',
].join('\n')

/** What a script would call; content-security-policy reports also fail the journey. */
function listenForDialogs(page: Page): string[] {
  const messages: string[] = []
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') messages.push(dialog.message())
    dialog.dismiss().catch(() => undefined)
  })
  return messages
}

describe('staff who publish terms', () => {
  test('see a script neutralised, publish terms, see who accepted, and publish a new version', async () => {
    const desk = (await testApp.visit()).page
    const visit = await testApp.visit()
    visit.expectStatus(403)
    const portal = visit.page
    const messages = [listenForDialogs(desk), listenForDialogs(portal)]

    await signInAsStaff(desk)
    await desk.getByRole('link', { name: 'Terms', exact: true }).click()
    await desk.getByRole('link', { name: 'New terms' }).click()
    await desk.getByLabel('Name').fill(name)
    await paste(desk.getByRole('textbox', { name: 'Text', exact: true }), hostile)
    await desk.getByRole('textbox', { name: 'Text of the checkbox' }).fill(tickbox)
    await desk.getByRole('radio', { name: 'Some sections' }).check()
    await desk.getByRole('checkbox', { name: 'Transactions' }).check()
    const preview = desk.getByRole('region', { name: 'Preview', exact: true })
    await expect(preview.getByText('We pay out within ten days.')).toBeVisible()
    await preview.getByText('press here').click()
    assert.equal(await preview.locator('script, img, svg[onload], iframe, [style*=red], [onclick]').count(), 0)
    assert.equal(await preview.getByText('press here').getAttribute('href'), null)

    // Leaving by accident does not lose it.
    await desk.getByRole('link', { name: 'All terms' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await desk.getByRole('button', { name: 'Save draft' }).click()
    await expect(desk.getByRole('heading', { level: 2, name })).toBeVisible()
    const written = desk.getByRole('textbox', { name: 'Text', exact: true })
    await expect(written.getByRole('heading', { level: 2 })).toHaveText('How we pay out')
    await expect(written).not.toContainText(/<|alert/)
    assert.equal(await written.locator('script, img, svg, iframe, [style], [onclick], [href^=javascript]').count(), 0)

    await desk.getByRole('button', { name: 'Publish' }).click()
    const dialog = desk.getByRole('dialog', { name: `Publish ${name}?` })
    await expect(dialog).toContainText(/Members who are asked: (\d+) of \1\./)
    await expect(dialog).toContainText('this is closed to them: Transactions.')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(desk.getByText('Published as version 1.')).toBeVisible()

    await signInAsMember(portal, 'second')
    await portal.goto('/funds/transactions')
    await accept(portal)
    await expect(portal.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible()

    const tabs = desk.getByRole('navigation', { name: 'About these terms' })
    await tabs.getByRole('link', { name: /^Who accepted/ }).click()
    const row = desk.getByRole('row', { name: /Tomás Okafor-Lindqvist/ })
    await expect(row).toContainText('127.0.0.1')
    const saving = desk.waitForEvent('download')
    await desk.getByRole('button', { name: 'Export CSV' }).click()
    assert.equal((await saving).suggestedFilename(), 'terms-accepted.csv')

    await tabs.getByRole('link', { name: 'Text' }).click()
    const text = desk.getByRole('textbox', { name: 'Text', exact: true })
    await text.getByText('We pay out within ten days.').click()
    await desk.keyboard.press('Home')
    await desk.keyboard.press('Shift+End')
    await desk.keyboard.type('We pay out within three days.')
    await desk.getByRole('button', { name: 'Publish' }).click()
    const again = desk.getByRole('dialog', { name: `Publish ${name}?` })
    await expect(again.getByRole('radio', { name: 'Everybody, again' })).toBeChecked()
    await again.getByRole('button', { name: 'Publish' }).click()
    await expect(desk.getByText('Published as version 2.')).toBeVisible()

    await portal.reload()
    await expect(portal.getByText('We pay out within three days.')).toBeVisible()
    await accept(portal)

    await tabs.getByRole('link', { name: /^Versions/ }).click()
    await expect(desk.locator('del')).toHaveText(/ten/)
    await expect(desk.locator('ins')).toHaveText(/three/)

    await desk.getByRole('button', { name: 'Retire' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Retire' }).click()
    await expect(desk.getByText('Retired. Members are no longer asked.')).toBeVisible()
    assert.deepEqual(messages, [[], []])
  })

  test('make headings, lists and links by buttons without seeing HTML, and members see the same', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/terms')
    await page.getByRole('link', { name: 'New terms' }).click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.click()
    await page.keyboard.type('Fees')
    await page.getByRole('button', { name: 'Subheading', exact: true }).click()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.keyboard.type('Deposits are <b>free</b>')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Withdrawals')
    await page.keyboard.press('Shift+Home')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    const address = page.getByLabel('Link address')
    await address.fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Set link' }).click()
    await expect(page.getByText('Enter an address that begins with')).toBeVisible()
    await address.fill('https://harbour.example/fees')
    await address.press('Enter')
    const preview = page.getByRole('region', { name: 'Preview', exact: true })
    for (const place of [text, preview]) {
      await expect(place.getByRole('heading', { name: 'Fees' })).toBeVisible()
      await expect(place.getByRole('listitem').first()).toHaveText('Deposits are <b>free</b>')
      await expect(place.getByRole('link', { name: 'Withdrawals' })).toHaveAttribute('href', /harbour\.example\/fees/)
    }
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(text).toHaveText('')
  })

  test('format text by buttons and keys, and keep their own changes when a colleague saved meanwhile', async () => {
    const { page, newTab, expectStatus } = await testApp.visit()
    expectStatus(409)
    await signInAsStaff(page)
    await page.goto('/desk/terms')
    await page.getByRole('link', { name: 'Privacy notice 2027' }).click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.press('Control+a')
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Paragraphs', exact: true }).click()
    await page.keyboard.type('What we keep')
    await page.getByRole('button', { name: 'Heading', exact: true }).click()
    await expect(text.getByRole('heading', { level: 2 })).toHaveText('What we keep')
    await text.press('Control+z')
    await expect(text.getByRole('heading', { level: 2 })).toHaveCount(0)
    await text.press('Control+a')
    await text.press('Control+b')
    const bold = text.locator('b, strong')
    await expect(bold).toHaveText('What we keep')

    const other = await newTab()
    await signInAsStaff(other)
    await other.goto('/desk/terms')
    await other.getByRole('link', { name: 'Privacy notice 2027' }).click()
    await other.getByRole('textbox', { name: 'Text of the checkbox' }).fill('I agree.')
    await other.getByRole('button', { name: 'Save draft' }).click()
    await expect(other.getByText('Saved as a draft.')).toBeVisible()

    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Keep my version' }).click()
    // The colleague's version must load first; an earlier save meets the same conflict.
    await expect(page.getByText('These terms have changed')).toBeHidden()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Saved as a draft.')).toBeVisible()
    await expect(bold).toHaveText('What we keep')
  })
})

/** Like a paste from another program, which provides HTML besides the plain text. */
async function paste(field: Locator, html: string): Promise<void> {
  await field.click()
  await field.page().evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', ${JSON.stringify(html)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }`)
}

async function accept(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const text = page.getByRole('region', { name })
  await expect(text.getByRole('link', { name: 'see the fees' })).toHaveAttribute('rel', 'noopener noreferrer')
  assert.equal(await text.locator('script, img, svg, iframe, [style], [onclick]').count(), 0)
  await page.getByLabel(tickbox).check()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeHidden()
}
