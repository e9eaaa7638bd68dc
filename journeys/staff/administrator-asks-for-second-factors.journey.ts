// spec: OP factors
import { after, afterEach, before, describe, it } from 'node:test'
import { confirmApp } from '../kit/enrolling.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('An administrator requires a second factor of every member', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('makes a signed-in member set one up at the next call, who then continues where they were', async () => {
    const { page: member, expectStatus } = await testApp.visit()
    await signInAsMember(member)

    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/settings/security')
    const form = page.getByRole('form', { name: 'Security' })
    const rule = form.getByRole('radiogroup', { name: 'Second factor for members' })
    await rule.getByRole('radio', { name: 'Required' }).check()
    expectStatus(403)
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Saved. It takes effect now, for everybody.')).toBeVisible()
    await page.reload()
    await expect(rule.getByRole('radio', { name: 'Required' })).toBeChecked()

    await member.goto('/accounts')
    await expect(member.getByRole('heading', { level: 1, name: 'Set up a second factor' })).toBeVisible()
    await member.goto('/funds/transactions') // The setup cannot be bypassed.
    await expect(member).toHaveURL(/\/second-factor$/)
    await member.getByRole('button', { name: 'Authenticator app' }).click()
    await confirmApp(member, member.getByRole('form', { name: 'Set up an authenticator app' }))
    await expect(member).toHaveURL(/\/funds\/transactions$/)
    await expect(member.getByRole('button', { name: /^Open (transaction|deposit|withdrawal) / }).first()).toBeVisible()
  })
})
