import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Page } from 'playwright'
import { signInAsMember, signInAsStaff } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { expect } from './visit.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
afterEach(() => stage.endVisits())
after(() => stage.close())

const name = 'Terms of withdrawals'
const tickbox = 'I have read how withdrawals work.'
const hostile = [
  '<h2>How we pay out</h2>',
  '<p style="color:red" onclick="alert(1)">We pay out within ten days.</p>',
  '<script>alert(2)</script><img src=x onerror="alert(3)"><svg onload="alert(4)"></svg>',
  '<p><a href="javascript:alert(5)">press here</a> or <a href="https://harbour.example/fees">see the fees</a></p>',
  '<iframe srcdoc="<script>alert(6)</script>"></iframe>',
].join('\n')

/** What a script would open; the content policy's reports fail the journey by themselves. */
function listenForDialogs(page: Page): string[] {
  const heard: string[] = []
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') heard.push(dialog.message())
    dialog.dismiss().catch(() => undefined)
  })
  return heard
}

describe('staff who publish terms', () => {
  test('see a script harmless, ask members, see who accepted, and ask them again with a new version', async () => {
    const desk = (await stage.visit()).page
    const visit = await stage.visit()
    visit.expectStatus(403)
    const portal = visit.page
    const heard = [listenForDialogs(desk), listenForDialogs(portal)]

    await signInAsStaff(desk)
    await desk.getByRole('link', { name: 'Terms', exact: true }).click()
    await desk.getByRole('link', { name: 'Write terms' }).click()
    await desk.getByLabel('Name').fill(name)
    await desk.getByLabel('Text', { exact: true }).fill(hostile)
    await desk.getByRole('textbox', { name: 'Beside the tick box' }).fill(tickbox)
    await desk.getByRole('radio', { name: 'Some sections' }).check()
    await desk.getByRole('checkbox', { name: 'Transactions' }).check()
    const preview = desk.getByRole('region', { name: 'Preview', exact: true })
    await expect(preview.getByText('We pay out within ten days.')).toBeVisible()
    await expect(preview.getByText('No member will see this')).toContainText(/<script>.*<img>.*javascript:/)
    await preview.getByText('press here').click()
    assert.equal(await preview.locator('script, img, svg[onload], iframe, [style*=red], [onclick]').count(), 0)
    assert.equal(await preview.getByText('press here').getAttribute('href'), null)

    // Left by accident it is not lost.
    await desk.getByRole('link', { name: 'All terms' }).click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await desk.getByRole('button', { name: 'Save draft' }).click()
    await expect(desk.getByRole('heading', { level: 2, name })).toBeVisible()
    await expect(desk.getByLabel('Text', { exact: true })).not.toHaveValue(/script|onclick|javascript|style|iframe/)

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
    assert.match((await saving).suggestedFilename(), /^terms-accepted-.*\.csv$/)

    await tabs.getByRole('link', { name: 'Text' }).click()
    const text = desk.getByLabel('Text', { exact: true })
    await text.fill((await text.inputValue()).replace('ten days', 'three days'))
    await desk.getByRole('button', { name: 'Publish' }).click()
    const again = desk.getByRole('dialog', { name: `Publish ${name}?` })
    await expect(again.getByRole('radio', { name: 'Everybody, once more' })).toBeChecked()
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
    assert.deepEqual(heard, [[], []])
  })

  test('mark text by buttons and keys, and keep their own when a colleague saved in between', async () => {
    const { page, newTab, expectStatus } = await stage.visit()
    expectStatus(409)
    await signInAsStaff(page)
    await page.goto('/desk/terms')
    await page.getByRole('link', { name: 'Privacy notice 2027' }).click()
    const text = page.getByLabel('Text', { exact: true })
    await text.fill('What we keep')
    await text.press('Control+a')
    await page.getByRole('button', { name: 'Heading', exact: true }).click()
    await expect(text).toHaveValue('<h2>What we keep</h2>')
    await text.press('Control+z')
    await expect(text).toHaveValue('What we keep')
    await text.press('Control+a')
    await text.press('Control+b')
    await expect(text).toHaveValue('<strong>What we keep</strong>')

    const other = await newTab()
    await signInAsStaff(other)
    await other.goto('/desk/terms')
    await other.getByRole('link', { name: 'Privacy notice 2027' }).click()
    await other.getByRole('textbox', { name: 'Beside the tick box' }).fill('I agree.')
    await other.getByRole('button', { name: 'Save draft' }).click()
    await expect(other.getByText('Saved as a draft.')).toBeVisible()

    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save draft' }).click()
    await expect(page.getByText('Saved as a draft.')).toBeVisible()
    await expect(text).toHaveValue('<strong>What we keep</strong>')
  })
})

async function accept(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const text = page.getByRole('region', { name })
  await expect(text.getByRole('link', { name: 'see the fees' })).toHaveAttribute('rel', 'noopener noreferrer')
  assert.equal(await text.locator('script, img, svg, iframe, [style], [onclick]').count(), 0)
  await page.getByLabel(tickbox).check()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeHidden()
}
