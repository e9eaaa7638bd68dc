// spec: MP 2.8, MP 4, MP 9, AO 2.1, AO 4
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { signIns } from '../../demo/harbour-markets.ts'
import type { Staff } from '../../server/foundation/actor.ts'
import { inTransaction, reading } from '../../server/foundation/database/database.ts'
import { retireTerms } from '../../server/terms/template.ts'
import { addTerms } from '../../tests/fixtures/requests.ts'
import { staffActor } from '../../tests/fixtures/workspaces.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

let testApp: TestApp
let staff: Staff

before(async () => {
  testApp = await openTestApp()
  const { system } = testApp
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('staff_users')
      .select(['staff_id', 'role', 'name', 'email'])
      .where('workspace_id', '=', system.workspaceId)
      .where('email', '=', signIns.staff)
      .executeTakeFirstOrThrow(),
  )
  staff = staffActor(system, { ...row, staffId: row.staff_id, password: '' })
})
afterEach(() => testApp.endVisits())
after(() => testApp.close())

describe('a member who must accept terms', () => {
  test('reads them instead of the blocked page, accepts and continues', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'new')
    await page.goto('/funds/deposit')
    await expect(page.getByRole('heading', { level: 1, name: 'Client agreement' })).toBeVisible()
    const accept = page.getByRole('button', { name: 'Accept', exact: true })
    await expect(accept).toBeDisabled()
    const text = page.getByRole('region', { name: 'Client agreement' })
    await text.focus()
    await page.keyboard.press('End')
    await expect(text.getByRole('link', { name: 'risk disclosure' })).toHaveAttribute('rel', 'noopener noreferrer')
    await page.getByLabel('I have read the client agreement and accept it.').check()
    await accept.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Client agreement' })).toBeHidden()
    await expect(page.getByText('You have no trading accounts created.')).toBeVisible()
  })

  test('shows terms that block everything over the page after the next call, one after the other', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(403)
    await signInAsMember(page)
    await page.goto('/accounts')
    await expect(page.getByText('700123').first()).toBeVisible()
    const first = await addTerms(staff, { name: 'New fees', blocked_portal_sections: ['all'] })
    const second = await addTerms(staff, { name: 'New hours', blocked_portal_sections: ['all'] })
    await page.mouse.move(200, 300)
    await page.reload()
    const dialog = page.getByRole('dialog', { name: 'New fees' })
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
    const next = page.getByRole('dialog', { name: 'New hours' })
    await expect(next.getByRole('button', { name: 'Accept', exact: true })).toBeDisabled()
    await next.getByRole('checkbox').check()
    await next.getByRole('button', { name: 'Accept', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByText('700123').first()).toBeVisible()
    for (const id of [first, second]) await retireTerms(staff, id)
  })

  test('shows new terms to a signed-in member after the next call without a reload, with an option to leave', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(403)
    await signInAsMember(page, 'second')
    const id = await addTerms(staff, { name: 'New rules', blocked_portal_sections: ['all'] })
    await page.getByRole('link', { name: 'Accounts', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New rules' })
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Logout' }).click()
    await page
      .getByRole('dialog', { name: /logout/ })
      .getByRole('button', { name: 'Logout' })
      .click()
    await expect(page).toHaveURL(/\/login/)
    await retireTerms(staff, id)
  })

  test('shows a script injected into the database as text, without running it', async () => {
    const { page, expectStatus } = await testApp.visit()
    expectStatus(403)
    const id = await addTerms(staff, { name: 'Smuggled', blocked_portal_sections: ['all'] })
    const template =
      '<p>Plain words</p><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)></svg>' +
      '<a href="javascript:alert(4)">press</a><iframe srcdoc="<script>alert(5)</script>"></iframe>'
    await inTransaction(staff, async (tx) => {
      const key = { workspace_id: staff.workspaceId, template_id: id }
      const text = { name: 'Smuggled', tickbox_text: '<script>alert(6)</script>', template }
      const published = {
        asks_again: true,
        published_at: testApp.context.clock.now(),
        blocked_portal_sections: ['all'],
      }
      await tx
        .insertInto('terms_versions')
        .values({ ...key, ...text, ...published, version: 2 })
        .execute()
      await tx
        .updateTable('terms_templates')
        .set({ version: 2, asks_from: 2 })
        .where('workspace_id', '=', staff.workspaceId)
        .where('template_id', '=', id)
        .execute()
    })
    await page.goto('/login')
    await page.getByLabel('Email', { exact: true }).fill(signIns.member)
    await page.getByLabel('Password', { exact: true }).fill('Harbour-2026')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Smuggled' })
    await expect(dialog.getByText('Plain words')).toBeVisible()
    await dialog.getByText('press').click()
    assert.equal(await dialog.locator('script, img, svg[onload], iframe').count(), 0)
    await retireTerms(staff, id)
  })
})
