// spec: DK session, OP factors
import { after, afterEach, before, describe, it } from 'node:test'
import { sessionTexts } from '@atrium/contract/sessions/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { confirmApp } from '../kit/enrolling.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('signing in with a second factor', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp()
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const section = (page: Page) => page.getByRole('region', { name: 'Two-factor sign-in' })

  async function setUpApp(page: Page): Promise<{ secret: string; codes: string[] }> {
    await section(page).getByRole('button', { name: 'Set up an app' }).click()
    const confirmed = await confirmApp(page, page.getByRole('dialog', { name: 'Set up an authenticator app' }))
    await expect(section(page).getByText('10 are left.')).toBeVisible()
    return confirmed
  }

  it('a member uses an app, a wrong code and a recovery code, then removes the app', async () => {
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page, 'second')
    await page.goto('/profile')
    const { codes } = await setUpApp(page)

    const next = await testApp.visit()
    next.expectStatus(422)
    await next.page.goto('/login')
    await enterCredentials(next.page, { email: signIns.second, password: demoPassword })
    const code = next.page.getByLabel('Code from your authenticator app')
    await expect(code).toBeFocused()
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await code.fill('000000')
    await expect(next.page.getByText(texts.codeWrong)).toBeVisible()
    await next.page.getByRole('button', { name: 'Use a recovery code' }).click()
    await next.page.getByLabel('Recovery code', { exact: true }).fill((codes[0] ?? '').toLowerCase())
    await next.page.getByRole('button', { name: 'Continue' }).click()
    await expect(next.page).toHaveURL(/\/home\/?$/)

    const remove = async () => {
      await page.getByRole('button', { name: 'Remove the app' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    }
    visit.expectFailure('ERR_FAILED')
    await page.route('**/members/security/totp/remove', (route) => route.abort())
    await remove()
    await expect(section(page).getByRole('alert')).toBeVisible()
    await page.unroute('**/members/security/totp/remove')
    await remove()
    await expect(page.getByText(sessionTexts.factorRemoved)).toBeVisible()
    await expect(section(page).getByRole('alert')).toHaveCount(0)
    await expect(section(page).getByText(/Withdrawals are held until/)).toBeVisible()
  })

  it('staff enrol an app at the desk and need it at the next sign-in', async () => {
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/security')
    await expect(section(page).getByText('Authenticator app')).toBeVisible()
    const { codes } = await setUpApp(page)
    const next = await testApp.visit()
    await next.page.goto('/desk/login')
    await enterCredentials(next.page, { email: signIns.staff, password: demoPassword })
    await next.page.getByRole('button', { name: 'Use a recovery code' }).click()
    await next.page.getByLabel('Recovery code', { exact: true }).fill(codes[1] ?? '')
    await next.page.getByRole('button', { name: 'Continue' }).click()
    await expect(next.page).toHaveURL(/\/desk\/deposits/)
  })

  it('a member creates and uses a passkey of this device', async () => {
    const { page, context, expectStatus } = await testApp.visit()
    const client = await context.newCDPSession(page)
    await client.send('WebAuthn.enable')
    await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto('/login')
    await enterCredentials(page, { email: signIns.new, password: demoPassword })
    await expect(page).toHaveURL(/\/home\/?$/)
    await page.goto('/profile')
    await section(page).getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByLabel('Passkey name').fill('Work laptop')
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByRole('button', { name: 'I have saved the codes' }).click()
    await expect(section(page).getByText('Work laptop')).toBeVisible()

    expectStatus(401) // Pending requests of the page.
    await page.evaluate('sessionStorage.clear()')
    await page.goto('/login')
    await enterCredentials(page, { email: signIns.new, password: demoPassword })
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page).toHaveURL(/\/home\/?$/)
  })
})
