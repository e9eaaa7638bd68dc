// spec: OP faults
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { ask, required, step } from '@atrium/contract/forms/form-parts.ts'
import { requestTexts, submissionTexts } from '@atrium/contract/requests/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import type { System } from '../../server/foundation/actor.ts'
import { reading } from '../../server/foundation/database/database.ts'
import { addOffered } from '../../tests/fixtures/forms.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, stopClock, untilThere } from '../kit/visit.ts'

const moving = {
  steps: [step('move', 'Your move', [ask('text', 'street', 'Street', { config: required })])],
  show_conditions: {},
  input_name_conditions: {},
  result_bands: [],
}

/** A form sent before its first draft save: the clock is stopped so that the submission comes first. */
describe('a member sends a form immediately and gets no response', () => {
  let testApp: TestApp
  let system: System
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  const street = (page: Page) => page.getByLabel('Street')
  const submit = (page: Page) => page.getByRole('button', { name: 'Submit Request', exact: true }).click()
  const sentAlready = (page: Page) => page.getByText(submissionTexts.sentAlready).first()
  const open = async (page: Page, typeId: string): Promise<void> => {
    await page.goto(`/requests-types/${typeId}`)
    await expect(street(page)).toBeVisible()
  }
  const isOver = async (page: Page): Promise<void> => {
    await expect(page.getByText(requestTexts.sent)).toBeVisible()
    await expect(page).toHaveURL(/\/home\/?$/)
  }
  const listSent = (typeId: string) =>
    reading(system, async (tx) => {
      const rows = await tx
        .selectFrom('form_answers')
        .innerJoin('requests', (join) =>
          join
            .onRef('requests.workspace_id', '=', 'form_answers.workspace_id')
            .onRef('requests.request_id', '=', 'form_answers.request_id'),
        )
        .select('form_answers.answers')
        .where('requests.workspace_id', '=', system.workspaceId)
        .where('requests.request_type_id', '=', typeId)
        .orderBy('requests.created_at')
        .execute()
      return rows.map(({ answers }) => (answers as { street: string }).street)
    })

  const lostAt = '**/requests/send-customer-request'
  /** Sends "Kaistr. 4": the response is lost, or the request never arrives. */
  async function sendInVain({ doesCome = true } = {}): Promise<{ page: Page; typeId: string }> {
    const { page, expectFailure, expectStatus } = await testApp.visit({ hasOwnClock: true })
    expectFailure('net::ERR_FAILED')
    expectStatus(409)
    await signInAsMember(page)
    const { typeId } = await addOffered(system, moving)
    await open(page, typeId)
    await page.route(lostAt, async (route) => {
      if (doesCome) await route.fetch()
      await route.abort()
    })
    await stopClock(page)
    await street(page).fill('Kaistr. 4')
    await submit(page)
    await untilThere(page, page.getByText(texts.requestFailed).first())
    await page.unroute(lostAt)
    return { page, typeId }
  }

  it('learns with the next draft save that it arrived, and keeps no draft', async () => {
    const { page, typeId } = await sendInVain()
    await page.clock.resume()
    await isOver(page)
    await open(page, typeId)
    await expect(street(page)).toHaveValue('')
    assert.deepEqual(await listSent(typeId), ['Kaistr. 4'])
  })

  it('creates one request by sending it again', async () => {
    const { page, typeId } = await sendInVain()
    await submit(page)
    await page.clock.resume()
    await isOver(page)
    await open(page, typeId)
    await expect(street(page)).toHaveValue('')
    assert.deepEqual(await listSent(typeId), ['Kaistr. 4'])
  })

  it('sees after further typing that the first version was sent, and keeps the changes', async () => {
    const { page, typeId } = await sendInVain()
    await street(page).fill('Kaistr. 5')
    await page.clock.resume()
    await expect(sentAlready(page)).toBeVisible()
    await page.getByRole('button', { name: 'Reopen the form', exact: true }).click()
    await expect(page.getByText(/^Saved /)).toBeVisible()
    await page.reload()
    await expect(street(page)).toHaveValue('Kaistr. 5')
    assert.deepEqual(await listSent(typeId), ['Kaistr. 4'])
    await submit(page)
    await isOver(page)
    assert.deepEqual(await listSent(typeId), ['Kaistr. 4', 'Kaistr. 5'])
  })

  it('learns that the first answers arrived when other answers are sent immediately', async () => {
    const { page, typeId } = await sendInVain()
    await street(page).fill('Kaistr. 5')
    await submit(page)
    await untilThere(page, sentAlready(page))
    await expect(street(page)).toHaveValue('Kaistr. 5')
    assert.deepEqual(await listSent(typeId), ['Kaistr. 4'])
  })

  it('continues with a draft if the request never arrived, and sends that', async () => {
    const { page, typeId } = await sendInVain({ doesCome: false })
    await page.clock.resume()
    await expect(page.getByText(/^Saved /)).toBeVisible()
    await page.reload()
    await expect(street(page)).toHaveValue('Kaistr. 4')
    assert.deepEqual(await listSent(typeId), [])
    await submit(page)
    await isOver(page)
    assert.deepEqual(await listSent(typeId), ['Kaistr. 4'])
  })
})
