// spec: DK members, DK requests
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, it } from 'node:test'
import { ask, required, step } from '@atrium/contract/forms/form-parts.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import type { Locator, Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { findMemberId } from '../../server/members/find-member.ts'
import { sendRequest } from '../../server/requests/send.ts'
import { addOffered, addVersion, type Offered } from '../../tests/fixtures/forms.ts'
import { memberActor } from '../../tests/fixtures/workspaces.ts'
import { enterCredentials, signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const moving = (label: string) => ({
  steps: [step('move', 'Your move', [ask('text', 'street', label, { config: required })])],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
})

describe('staff process requests', () => {
  let testApp: TestApp
  let system: System
  let offered: Offered
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
    offered = await addOffered(system, moving('Street and number'))
    await inTransaction(system, (tx) =>
      tx
        .updateTable('request_types')
        .set({ name: 'Moving house' })
        .where('workspace_id', '=', system.workspaceId)
        .where('request_type_id', '=', offered.typeId)
        .execute(),
    )
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Sent as a member, by the call that the form makes. */
  async function send(street: string): Promise<{ id: string; number: string }> {
    const memberId = await findMemberId(system, signIns.member)
    assert.ok(memberId)
    const member = await memberActor(system, memberId)
    const form_submit = { form: offered.formId, data: { street } }
    const { _id: id, number } = await sendRequest(member, { request: { request_type: offered.typeId }, form_submit })
    return { id, number }
  }

  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Requests by state' }).getByRole('link', { name: new RegExp(`^${name}`) })
  const row = (page: Page, number: string) =>
    page.getByRole('list', { name: 'Requests' }).getByRole('link', { name: new RegExp(`#${number}\\b`) })
  const opened = (page: Page, number: string) => page.getByRole('article', { name: `Request ${number}` })

  async function move(page: Page, article: Locator, to: string): Promise<Locator> {
    await article.getByRole('button', { name: 'Move to' }).click()
    await page.getByRole('menuitem', { name: to, exact: true }).click()
    return page.getByRole('dialog')
  }

  it('take one, start it and reject it, and its member sees each step', async () => {
    const { number } = await send('Quay 7')
    const member = await testApp.visit()
    await signInAsMember(member.page)
    await member.page.goto(`/requests?tab=history&q=${number}`)
    const bell = member.page.getByRole('button', { name: /^Notifications/ })
    await expect(bell).toHaveAccessibleName(/\d/)
    const already = Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0] ?? 0)
    const desk = await testApp.visit()
    await signInAsStaff(desk.page)
    await desk.page.goto('/desk/requests')
    await row(desk.page, number).click()
    const article = opened(desk.page, number)
    await expect(article).toContainText('Quay 7')
    await expect(article).toContainText('Street and number')
    await article.getByRole('button', { name: 'Assign to me', exact: true }).click()
    await expect(article.getByRole('button', { name: 'Unassign' })).toBeVisible()
    await expect(article).toContainText('Assigned to Nora Vella')

    await article.getByRole('textbox', { name: /^Comment to / }).fill('We look at it today.')
    await article.getByRole('button', { name: 'Send comment' }).click()
    await expect(article.getByRole('textbox', { name: /^Comment to / })).toHaveValue('')
    await article.getByRole('button', { name: 'Start' }).click()
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await expect(article.getByText('In progress', { exact: true }).first()).toBeVisible()
    await expect(article).toContainText('Open to In progress')

    const no = await move(desk.page, article, 'Rejected')
    await no.getByRole('button', { name: 'Reject' }).click()
    await expect(no.getByText(requestTexts.commentMissing)).toBeVisible()
    await no.getByRole('textbox', { name: /^Comment to / }).fill('The document is older than three months.')
    await no.getByRole('button', { name: 'Reject' }).click()
    await expect(no).toHaveCount(0)
    await expect(article.getByText('Rejected', { exact: true }).first()).toBeVisible()
    // A decision is final.
    for (const name of ['Move to', 'Unassign', 'Start', 'Send comment'])
      await expect(article.getByRole('button', { name })).toHaveCount(0)
    await tab(desk.page, 'Rejected').click()
    await expect(row(desk.page, number)).toBeVisible()

    // The bell of the open page shows it, and the request itself states the reason.
    await expect(bell).toHaveAccessibleName(`Notifications, ${already + 3} unread`)
    await member.page.reload()
    await member.page
      .getByRole('link', { name: new RegExp(number) })
      .first()
      .click()
    await expect(member.page.getByText('The document is older than three months.')).toBeVisible()
    await expect(member.page.getByText('Rejected', { exact: true }).first()).toBeVisible()
  })

  it('approve a new email, which the member signs in with from then on', async () => {
    const member = await testApp.visit()
    await signInAsMember(member.page, 'second')
    await member.page.goto('/requests')
    await member.page.getByRole('button', { name: /^Change of email/ }).click()
    const asking = member.page.getByRole('dialog')
    await asking.getByLabel('New email').fill('tomas.new@harbour.test')
    await asking.getByLabel('Reason').fill('My provider closes.')
    await asking.getByRole('button', { name: /^Submit/ }).click()
    await expect(asking).toHaveCount(0)

    const desk = await testApp.visit({ width: 1280 })
    await signInAsStaff(desk.page)
    await desk.page.goto('/desk/requests?q=okafor')
    const article = desk.page.getByRole('article', { name: /^Request / })
    const change = article.getByRole('region', { name: 'Requested change' })
    await expect(change).toContainText(signIns.second)
    await expect(change).toContainText('tomas.new@harbour.test')
    member.expectStatus(401)
    const approving = await move(desk.page, article, 'Approve the change')
    await expect(approving).toContainText('signed out everywhere')
    await approving.getByRole('button', { name: 'Approve the change' }).click()
    await expect(article.getByText('Done', { exact: true }).first()).toBeVisible()
    await member.page.reload()
    await expect(member.page).toHaveURL(/\/login/)
    await enterCredentials(member.page, { email: 'tomas.new@harbour.test', password: demoPassword })
    // Returns to the page that asked for the sign-in.
    await expect(member.page).toHaveURL(/\/requests/)
    await expect(member.page.getByRole('heading', { level: 1, name: 'Requests' })).toBeVisible()
  })

  it('see that its member cancelled a request before the decision', async () => {
    const { number } = await send('Quay 8')
    const desk = await testApp.visit()
    await signInAsStaff(desk.page)
    await desk.page.goto(`/desk/requests?q=${number}`)
    const article = opened(desk.page, number)
    await expect(article).toBeVisible()
    await article.getByRole('textbox', { name: /^Comment to / }).fill('We see to it.')
    const done = await move(desk.page, article, 'Done')
    await expect(done).toContainText('This closes the request')

    const member = await testApp.visit()
    await signInAsMember(member.page)
    await member.page.goto(`/requests?tab=history&q=${number}`)
    await member.page
      .getByRole('link', { name: new RegExp(number) })
      .first()
      .click()
    await member.page.getByRole('button', { name: 'Cancel request' }).click()
    const cancelling = member.page.getByRole('dialog', { name: /^Cancel request/ })
    await cancelling.getByLabel('Comment').fill('I stay where I am.')
    await cancelling.getByRole('button', { name: 'Cancel request' }).click()
    await expect(member.page.getByText(requestTexts.cancelled)).toBeVisible()

    // A comment being written survives the end of the request and a wrong key.
    await expect(article.getByText('Canceled', { exact: true }).first()).toBeVisible()
    await done.getByRole('textbox', { name: /^Comment to / }).fill('All done.')
    await desk.page.keyboard.press('Escape')
    await desk.page
      .getByRole('dialog', { name: 'Do you want to exit before saving?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    await expect(done.getByRole('textbox', { name: /^Comment to / })).toHaveValue('All done.')
    desk.expectStatus(409)
    await done.getByRole('button', { name: 'Done' }).click()
    await expect(done.getByText(deskTexts.requestDecided)).toBeVisible()
    await done.getByRole('button', { name: 'Back' }).click()
    await desk.page
      .getByRole('dialog', { name: 'Do you want to exit before saving?' })
      .getByRole('button', { name: 'Ok' })
      .click()
    await expect(done).toHaveCount(0)
    const comment = article.getByRole('textbox', { name: /^Comment to / })
    await expect(comment).toHaveValue('We see to it.')
    await article.getByRole('button', { name: 'Send comment' }).click()
    await expect(comment).toHaveCount(0)
    await expect(article).toContainText('We see to it.')
    await expect(article).toContainText('I stay where I am.')
  })

  it('see the form version that was filled in, whatever version is current', async () => {
    const { number } = await send('=1+1')
    await addVersion(system, offered.formId, moving('Where you live now'))
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto(`/desk/requests?q=${number}`)
    const article = opened(page, number)
    await expect(article).toContainText('Street and number')
    await expect(article).not.toContainText('Where you live now')

    await page.goto('/desk/requests')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: /table|CSV/i }).click()
    const path = await (await download).path()
    const table = readFileSync(path, 'utf8')
    assert.match(table, new RegExp(`${number},.*Moving house`))
  })

  it('find requests by text, kind and assignee, and see an empty state where there are none', async () => {
    const { number } = await send('Quay 10')
    const { page } = await testApp.visit()
    await signInAsStaff(page)
    await page.goto('/desk/requests')
    await expect(row(page, number)).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search requests' }).fill(number)
    await expect(page.getByRole('list', { name: 'Requests' }).getByRole('link')).toHaveCount(1)
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('nobody asked for this')
    await expect(page.getByText('There are no search results.')).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('')
    await expect(row(page, number)).toBeVisible()
    await page.getByRole('checkbox', { name: 'Mine' }).check()
    await expect(row(page, number)).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Mine' }).uncheck()
    await row(page, number).click()
    await expect(opened(page, number)).toBeVisible() // Keyboard navigation continues from the open request.
    // The newest is last.
    await page.keyboard.press('k')
    await expect(opened(page, number)).toHaveCount(0)
    await page.keyboard.press('j')
    await expect(opened(page, number)).toBeVisible()
  })
})
