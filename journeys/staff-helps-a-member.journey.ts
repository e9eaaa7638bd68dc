import { after, afterEach, before, describe, it } from 'node:test'
import { demoPassword, signIns } from '../demo/harbour-markets.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from './people.ts'
import { openStage, type Stage } from './stage.ts'
import { expect } from './visit.ts'

describe('staff help a member who cannot sign in', () => {
  let stage: Stage
  before(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.endVisits())
  after(() => stage.close())

  it('find the member by name, send a link, lock and unlock the sign-in, and read it all in the log', async () => {
    const member = await stage.visit()
    await signInAsMember(member.page, 'second')
    const { page } = await stage.visit({ width: 1280 })
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
    await expect(page.getByText('Please give a reason.')).toBeVisible()
    await page.getByLabel('Why').fill('Lost his phone on the ferry')
    await page.getByRole('dialog').getByRole('button', { name: 'Lock sign-in' }).click()
    await expect(article.getByText('Sign-in locked: Lost his phone on the ferry')).toBeVisible()

    member.expectStatus(401)
    await member.page.reload()
    await expect(member.page).toHaveURL(/\/login/)
    await enterCredentials(member.page, { email: signIns.second, password: demoPassword })
    await expect(member.page.getByRole('alert')).toBeVisible()

    await article.getByRole('button', { name: 'Unlock sign-in' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock sign-in' }).click()
    await expect(article.getByRole('button', { name: 'Lock sign-in' })).toBeVisible()
    await enterCredentials(member.page, { email: signIns.second, password: demoPassword })
    await expect(member.page.getByRole('heading', { level: 1 })).toHaveText(/Tomás/)

    const trail = article.getByRole('list', { name: 'Audit log' })
    await expect(trail.getByText('Member: unlocked')).toBeVisible()
    await expect(trail.getByText('Reset link: sent by desk')).toBeVisible()
  })
})
