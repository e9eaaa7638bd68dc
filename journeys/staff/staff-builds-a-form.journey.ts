// spec: DK forms, DK requests
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import type { Locator, Page } from 'playwright'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const formName = 'House move'

describe('staff build a form', () => {
  let testApp: TestApp
  let exported: string
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const stepOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const settings = (page: Page) => page.getByRole('region', { name: 'Field settings' })
  const handle = (page: Page, field: string) => page.getByRole('button', { name: `Drag ${field}`, exact: true })

  /** The live announcements during a drag: tests drop only after the target is announced. */
  const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

  async function addField(page: Page, kind: string, name: string): Promise<void> {
    await page
      .getByRole('navigation', { name: 'Field types' })
      .getByRole('button', { name: `Add: ${kind}`, exact: true })
      .click()
    await settings(page).getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await expect(handle(page, name)).toBeVisible()
  }

  async function choose(page: Page, field: Locator, option: string): Promise<void> {
    await field.click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
    const box = await locator.boundingBox()
    assert.ok(box)
    return box
  }

  const areBeside = async (page: Page, left: string, right: string): Promise<boolean> => {
    const [one, other] = [await boxOf(handle(page, left)), await boxOf(handle(page, right))]
    return Math.abs(one.y - other.y) < 4 && one.x < other.x
  }

  async function openForm(page: Page): Promise<void> {
    await page.goto('/desk/forms')
    await page.getByRole('link', { name: formName, exact: true }).click()
    await expect(page.getByRole('heading', { level: 2, name: formName })).toBeVisible()
  }

  it('create a form from scratch: fields, a condition, placement by mouse and by keyboard, a second step, a version', async () => {
    const { page } = await testApp.visit({ width: 1440, height: 1000 })
    await signInAsStaff(page)
    await page.goto('/desk/forms')
    await page.getByRole('button', { name: 'New form' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill(formName)
    await dialog.getByRole('button', { name: 'Create form' }).click()
    await expect(page.getByRole('heading', { level: 2, name: formName })).toBeVisible()

    await addField(page, 'Yes or no', 'Have you moved?')
    await addField(page, 'Short text', 'Street')
    const condition = settings(page).getByRole('group', { name: 'Shown when' })
    await condition.getByRole('button', { name: 'Add a condition' }).click()
    await choose(page, condition.getByRole('combobox', { name: 'Field of condition 1' }), 'Have you moved?')
    await choose(page, condition.getByRole('combobox', { name: 'Value of condition 1' }), 'Yes')
    await expect(stepOf(page, 'Step 1').getByRole('img', { name: 'Shown under a condition' })).toBeVisible()
    await addField(page, 'Short text', 'House number')
    assert.equal(await areBeside(page, 'Street', 'House number'), false)

    // With the mouse, to the right of the street.
    const street = await boxOf(page.getByRole('button', { name: /^Street/ }).first())
    const from = await boxOf(handle(page, 'House number'))
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(street.x + street.width, street.y + street.height / 2, { steps: 12 })
    await page.mouse.move(street.x + street.width + 4, street.y + street.height / 2, { steps: 2 })
    await expect(said(page, 'House number: Step 1, row 2, position 2.')).toBeVisible()
    await page.mouse.up()
    await expect.poll(() => areBeside(page, 'Street', 'House number')).toBe(true)

    // By keyboard only: down into a new row, and back by Undo.
    await handle(page, 'House number').focus()
    await page.keyboard.press('Space')
    await expect(said(page, 'House number: Step 1')).toBeVisible()
    // To the last position, where further key presses have no effect.
    for (let pressed = 0; pressed < 6; pressed += 1) await page.keyboard.press('ArrowDown')
    await expect(said(page, 'House number: Step 1, a new row at the end.')).toBeVisible()
    await page.keyboard.press('Space')
    await expect.poll(() => areBeside(page, 'Street', 'House number')).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => areBeside(page, 'Street', 'House number')).toBe(true)
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(() => areBeside(page, 'Street', 'House number')).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()

    await page.getByRole('button', { name: 'Add a step' }).click()
    await addField(page, 'Consent', 'What I say is true')
    await expect(stepOf(page, 'Step 2')).toContainText('What I say is true')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click()
    await expect(page.getByText('Version 2', { exact: true })).toBeVisible()
    await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  })

  it('preview it as members see it, without sending anything', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsStaff(page)
    await openForm(page)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await page
      .getByRole('navigation', { name: 'About this form' })
      .getByRole('link', { name: /^Preview/ })
      .click()
    const preview = page.getByRole('radio', { name: 'Yes' }).first()
    await expect(page.getByRole('textbox', { name: 'Street' })).toHaveCount(0)
    await preview.check()
    await expect(page.getByRole('textbox', { name: 'Street' }).first()).toBeVisible()
    assert.deepEqual(
      sent.filter((path) => /form|draft|request/.test(path)),
      [],
    )
  })

  it('export it as a file, and import nothing harmful', async () => {
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsStaff(page)
    await openForm(page)
    await page.getByRole('button', { name: `More about ${formName}` }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export as JSON' }).click()
    exported = readFileSync(await (await download).path(), 'utf8')
    const form = JSON.parse(exported)
    const [first] = form.definition.steps
    const street = first.fields.find(({ name }: { name: string }) => name === 'Street').input_name
    const moved = first.fields.find(({ name }: { name: string }) => name === 'Have you moved?').input_name
    assert.deepEqual(Object.keys(form.definition.show_conditions), [street])

    const inCircles = structuredClone(form)
    inCircles.definition.show_conditions[moved] = { '==': [{ var: street }, 'x'] }
    const withScript = structuredClone(form)
    withScript.definition.steps[0].fields.push({
      ...{ name: 'Read this', description: null, type: 'static_content', options: [], scores: {}, row: 9, column: 0 },
      ...{ config: { html: '<p>Hello</p><script>alert(1)</script>' }, input_name: 'read_this' },
    })
    await page.getByRole('button', { name: `More about ${formName}` }).click()
    await page.getByRole('menuitem', { name: 'Replace with JSON' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import a form' })
    const take = async (value: unknown): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await dialog.getByRole('button', { name: 'Choose a JSON file' }).click()
      const buffer = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
      await (await chooser).setFiles({ name: 'form.json', mimeType: 'application/json', buffer })
    }
    for (const bad of [inCircles, withScript, '{"definition": ']) {
      await take(bad)
      await expect(dialog.getByText('form.json was rejected:')).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled()
    }
    await take(exported)
    await expect(dialog.getByText('form.json contains a form that can be imported.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect(dialog).toHaveCount(0)
    // Importing the same file again is no change.
    await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  })

  it('cannot overwrite the saved version of a colleague who edits it too', async () => {
    const [mine, theirs] = [await testApp.visit({ width: 1440 }), await testApp.visit({ width: 1440 })]
    for (const { page } of [mine, theirs]) {
      await signInAsStaff(page)
      await openForm(page)
    }
    const saveVersion = async (page: Page): Promise<void> => {
      await page.getByRole('button', { name: 'Save as a new version' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Save version' }).click()
    }
    const saved = (page: Page, version: number) =>
      expect(page.getByText(`Version ${version}`, { exact: true })).toBeVisible()

    // Reopened after leaving: editing starts from the newest version, not from this browser's cache.
    await mine.page.getByRole('link', { name: 'All forms' }).click()
    await addField(theirs.page, 'Short text', 'Town')
    await saveVersion(theirs.page)
    await saved(theirs.page, 3)
    await mine.page.getByRole('link', { name: formName, exact: true }).click()
    await expect(handle(mine.page, 'Town')).toBeVisible()
    await saved(mine.page, 3)

    // With unsaved changes: reloading by saving the settings keeps the version that the edit started from.
    await addField(mine.page, 'Short text', 'Country')
    await addField(theirs.page, 'Short text', 'Postcode')
    await saveVersion(theirs.page)
    await saved(theirs.page, 4)
    const tabs = mine.page.getByRole('navigation', { name: 'About this form' })
    await tabs.getByRole('link', { name: 'Settings' }).click()
    await mine.page.getByRole('textbox', { name: 'Category' }).fill('Moving')
    await mine.page.getByRole('button', { name: 'Save changes' }).click()
    await saved(mine.page, 4)
    await tabs.getByRole('link', { name: 'Build' }).click()
    mine.expectStatus(409)
    await saveVersion(mine.page)
    const dialog = mine.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Use the saved version' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(handle(mine.page, 'Postcode')).toBeVisible()
    await expect(handle(mine.page, 'Country')).toHaveCount(0)
  })

  it('offer it, and a member finds and sends it', async () => {
    const desk = await testApp.visit({ width: 1440 })
    await signInAsStaff(desk.page)
    await desk.page.goto('/desk/request-types')
    await desk.page.getByRole('button', { name: 'New request type' }).click()
    const dialog = desk.page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Tell us that you moved')
    await choose(desk.page, dialog.getByRole('combobox', { name: 'Form or portal page' }), formName)
    await dialog.getByRole('button', { name: 'Create request type' }).click()
    await expect(desk.page.getByRole('list', { name: 'Request types' })).toContainText('Tell us that you moved')

    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto('/requests')
    await page.getByRole('button', { name: /Tell us that you moved/ }).click()
    const form = page.getByRole('dialog', { name: 'Tell us that you moved' })
    await form.getByRole('radio', { name: 'Yes' }).check()
    await form.getByRole('textbox', { name: 'Street' }).fill('Quay')
    await form.getByRole('textbox', { name: 'House number' }).fill('7')
    await form.getByRole('button', { name: 'Next' }).click()
    await form.getByRole('checkbox', { name: 'What I say is true' }).check()
    await form.getByRole('button', { name: 'Submit Request' }).click()
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
  })
})
