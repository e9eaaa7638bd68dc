// spec: DK members
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import type { System } from '../../server/foundation/actor.ts'
import { reading } from '../../server/foundation/database/database.ts'
import { confirmTotp, startTotp } from '../../server/sessions/factors/totp.ts'
import { codeAt } from '../../server/sessions/factors/totp-code.ts'
import { memberActor, openTestSession } from '../../tests/fixtures/workspaces.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { ageProofs, proveAnew } from '../kit/proving.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

/** A member who enrolled an authenticator app and then lost the phone. */
async function memberWithApp(system: System): Promise<string> {
  const row = await reading(system, (tx) =>
    tx
      .selectFrom('members')
      .select('member_id')
      .where('workspace_id', '=', system.workspaceId)
      .where('email', '=', signIns.second)
      .executeTakeFirstOrThrow(),
  )
  const memberId = row.member_id
  const { sessionId } = await openTestSession(system, { kind: 'member', id: memberId })
  const member = { ...(await memberActor(system, memberId)), sessionId }
  const { secret } = await startTotp(member)
  await confirmTotp(member, codeAt(secret, system.context.clock.now()))
  return memberId
}

describe('staff help a member who cannot sign in', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('find the member by name, send a link, lock and unlock the sign-in, and see it all in the audit log', async () => {
    const member = await testApp.visit()
    await signInAsMember(member.page, 'second')
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.goto('/desk/members')
    await page.getByRole('searchbox', { name: 'Search members' }).fill('okafor')
    await page.getByRole('link', { name: /Tomás Okafor-Lindqvist/ }).click()
    const article = page.getByRole('article', { name: 'Member 100418' })
    await expect(article.getByText(signIns.second).first()).toBeVisible()

    await article.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send the link' }).click()
    await expect(page.getByText(`A reset link is on its way to ${signIns.second}.`)).toBeVisible()

    await article.getByRole('button', { name: 'Lock sign-in' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock sign-in' }).click()
    member.expectStatus(401)
    await expect(page.getByText('Please give a reason.')).toBeVisible()
    await page.getByLabel('Reason').fill('Lost his phone on the ferry')
    await page.getByRole('dialog').getByRole('button', { name: 'Lock sign-in' }).click()
    await expect(article.getByText('Sign-in locked: Lost his phone on the ferry')).toBeVisible()

    await member.page.reload()
    await expect(member.page).toHaveURL(/\/login/)
    await enterCredentials(member.page, { email: signIns.second, password: demoPassword })
    const form = member.page.getByRole('form', { name: 'Sign in' })
    await expect(form.getByRole('alert')).toBeVisible()

    await article.getByRole('button', { name: 'Unlock sign-in' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock sign-in' }).click()
    await expect(article.getByRole('button', { name: 'Lock sign-in' })).toBeVisible()
    await enterCredentials(member.page, { email: signIns.second, password: demoPassword })
    await expect(member.page.getByRole('heading', { level: 1 })).toHaveText(/Tomás/)

    const trail = article.getByRole('list', { name: 'Audit log' })
    await expect(trail.getByText('Member unlocked')).toBeVisible()
    await expect(trail.getByText('Reset link sent by the desk')).toBeVisible()
  })

  it('re-authenticate and remove a lost second factor, and the member is notified', async () => {
    const { system } = testApp
    const memberId = await memberWithApp(system)
    const { page, expectStatus } = await testApp.visit({ width: 1280 })
    expectStatus(403)
    await signInAsStaff(page)
    await page.goto(`/desk/members/${memberId}`)
    const article = page.getByRole('article', { name: 'Member 100418' })
    const factor = article.getByRole('region', { name: 'Second factor' })
    await expect(factor.getByText('Set up')).toBeVisible()
    await expect(article.getByRole('region', { name: 'Accepted terms' })).toContainText('Client agreement')

    await ageProofs(system)
    await article.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
    const dialog = page.getByRole('dialog', { name: /^Reset the second factor of / })
    await dialog.getByLabel('Reason').fill('Called back on the number that we know')
    await dialog.getByRole('button', { name: 'Reset second factor' }).click()
    await proveAnew(page)
    await expect(factor.getByText('None: the password alone is enough to sign in.')).toBeVisible()
    await expect(article.getByText('Second factors reset')).toBeVisible()
    await page.goto('/dev/mailbox')
    const mail = page.getByRole('article').filter({ hasText: signIns.second })
    await expect(mail.getByText('Your second factors were removed').first()).toBeVisible()
  })

  it('invite a member, who sets the first password, and record the referrer', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.goto('/desk/members')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a member' })
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await expect(dialog.getByText('Please fill in this field.')).toHaveCount(4)
    await dialog.getByLabel('First name').fill('Ines')
    await dialog.getByLabel('Last name').fill('Invited')
    await dialog.getByLabel('Email').fill('ines@harbour.test')
    await dialog.getByRole('combobox', { name: 'Country' }).fill('Malta')
    await page.getByRole('option', { name: 'Malta', exact: true }).click()
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    const article = page.getByRole('article', { name: /^Member / })
    await expect(article.getByText('Invited: no password is set yet')).toBeVisible()
    await article.getByRole('button', { name: 'Send the invitation again' }).click()
    await expect(page.getByText('An invitation is on its way to ines@harbour.test.').last()).toBeVisible()

    const { page: invited } = await testApp.visit()
    const mails = invited.getByRole('article').filter({ hasText: 'ines@harbour.test' })
    const countMails = async () => {
      await invited.goto('/dev/mailbox')
      return mails.count()
    }
    await expect.poll(countMails).toBe(2) // A job writes the mails, and the second replaces the first.
    const link = await mails
      .first()
      .getByRole('link', { name: /\/reset-password\// })
      .getAttribute('href')
    await invited.goto(new URL(link ?? '').pathname)
    await expect(invited.getByRole('heading', { level: 1, name: 'Set your password' })).toBeVisible()
    await invited.getByLabel('New password', { exact: true }).fill('Harbour-2027')
    await invited.getByLabel('Confirm new password').fill('Harbour-2027')
    await invited.getByRole('button', { name: 'Set password' }).click()
    await enterCredentials(invited, { email: 'ines@harbour.test', password: 'Harbour-2027' })
    await expect(invited.getByRole('heading', { level: 1, name: /Ines/ })).toBeVisible()

    await page.reload()
    const sales = article.getByRole('region', { name: 'Sales' })
    await sales.getByRole('button', { name: 'Set referrer' }).click()
    const referring = page.getByRole('dialog', { name: 'Who referred Ines Invited?' })
    await referring.getByRole('combobox', { name: 'Referred by' }).click()
    await page.getByRole('option').first().click()
    await referring.getByLabel('Reason').fill('They told us on the phone')
    await referring.getByRole('button', { name: 'Save change' }).click()
    await expect(sales.getByRole('list', { name: 'Referrer history' })).toContainText('They told us on the phone')
    await sales.getByRole('button', { name: 'Make a sales person' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Joined the sales team')
    await page.getByRole('dialog').getByRole('button', { name: 'Make a sales person' }).click()
    await expect(article.getByText('Member type changed')).toBeVisible()
    await invited.reload()
    await expect(invited.getByRole('link', { name: 'Sales' }).first()).toBeVisible()
  })

  it('export all data of a member as one archive that opens without this program', async () => {
    const { page } = await testApp.visit({ width: 1280 })
    await signInAsStaff(page)
    await page.goto('/desk/members')
    await page.getByRole('searchbox', { name: 'Search members' }).fill('okafor')
    await page.getByRole('link', { name: /Tomás Okafor-Lindqvist/ }).click()
    const article = page.getByRole('article', { name: 'Member 100418' })
    await article.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Export this member’s data' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    await expect(page.getByText('The export is being prepared. It may take a while.')).toBeVisible()
    const saved = await download
    assert.equal(saved.suggestedFilename(), 'member-100418.zip')
    const entries = unzipSync(readFileSync(await saved.path()))
    assert.ok(entries['everything.json'])
    const reader = (await testApp.visit({ width: 390 })).page
    await reader.setContent(strFromU8(entries['everything.html'] ?? new Uint8Array()))
    await expect(reader.getByRole('heading', { level: 1, name: /^Personal data of Tomás/ })).toBeVisible()
    await expect(reader.getByRole('heading', { name: 'Sign-ins' })).toBeVisible()
  })
})
