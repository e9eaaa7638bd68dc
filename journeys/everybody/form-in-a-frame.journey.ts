// spec: MP 7, AO 7
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { ask, required, step } from '@atrium/contract/forms/form-parts.ts'
import { formFramePath } from '@atrium/contract/forms/frame.ts'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import type { FrameLocator, Locator, Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import { addForm } from '../../tests/fixtures/forms.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const definition = {
  steps: [
    step('job', 'Your work', [
      ask('yes_no', 'works', 'Do you work?', { config: required }),
      ask('textarea', 'what', 'What do you do?', { config: required }),
      ask('textarea', 'where', 'Where do you do it?'),
      ask('textarea', 'why', 'Why do you do it?'),
    ]),
    step('end', 'The end', [ask('consent', 'agrees', 'What I say is true', { config: required })]),
  ],
  show_conditions: Object.fromEntries(
    ['what', 'where', 'why'].map((name) => [name, { '==': [{ var: 'works' }, 'yes'] }]),
  ),
  input_name_conditions: {},
  result_bands: [],
}

/** A page around a frame that records every message it receives. As text, because it runs in the browser. */
const pageAround = (address: string) =>
  `<!doctype html><title>Around</title><script>
    window.received = []
    addEventListener('message', ({ data, origin }) => window.received.push({ ...data, origin }))
  </script><iframe title="Form" width="600" height="300" src="${address}"></iframe>`

type Received = { kind?: string; height?: number; origin: string }
const receivedBy = (page: Page) => page.evaluate<Received[]>('window.received')

describe('a form embedded in a frame', () => {
  let testApp: TestApp
  let formId: string
  let hostile: Server
  let foreignOrigin: string
  before(async () => {
    testApp = await openTestApp()
    formId = await addForm(testApp.system, {
      definition,
      is_request: false,
      show_on: 'members-portal',
    })
    hostile = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(pageAround(`${testApp.url}${viewOf({})}`))
    })
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    foreignOrigin = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
  })
  afterEach(() => testApp.endVisits())
  after(async () => {
    await new Promise((resolve) => hostile.close(resolve))
    await testApp.close()
  })

  const viewOf = (more: Record<string, string>) => `${formFramePath}?${new URLSearchParams({ form: formId, ...more })}`

  /** A page on our own origin that is not part of the portal. */
  async function frameOn(page: Page, more: Record<string, string>): Promise<FrameLocator> {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.route('**/around', (route) =>
      route.fulfill({ contentType: 'text/html', body: pageAround(viewOf(more).replaceAll('&', '&amp;')) }),
    )
    await page.goto('/around')
    return page.frameLocator('iframe')
  }

  it('is filled in on a portal page, which sets the frame to the height it requests', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    await page.goto(`/form/${formId}/Your%20work`)
    await expect(page.getByRole('heading', { level: 1, name: 'Your work' })).toBeVisible()
    const frame = page.frameLocator('iframe[title="Your work"]')
    await expect(frame.getByRole('heading', { name: 'Your work' })).toBeVisible()
    const heightOf = async (of: Locator) => (await of.boundingBox())?.height ?? 0
    const isHighEnough = async () => (await heightOf(page.locator('iframe'))) >= (await heightOf(frame.locator('body')))
    await expect.poll(isHighEnough).toBe(true)
    const before = await heightOf(page.locator('iframe'))
    await frame.getByRole('radio', { name: 'Yes' }).check()
    await expect.poll(async () => (await heightOf(page.locator('iframe'))) > before).toBe(true)
    await expect.poll(isHighEnough).toBe(true)

    // The frame has posted its final height.
    const heightAskedFor = () => frame.locator('body').evaluate((body: { scrollHeight: number }) => body.scrollHeight)
    await expect.poll(async () => (await heightOf(page.locator('iframe'))) - (await heightAskedFor())).toBe(0)
    // Any window can post messages: the page accepts only those of the frame.
    const grown = await heightOf(page.locator('iframe'))
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => data.last && resolve())
      postMessage({ kind: 'form-height', height: 4321 }, '*')
      postMessage({ last: true }, '*')
    })`)
    assert.equal(await heightOf(page.locator('iframe')), grown)

    await frame.getByLabel('What do you do?').fill('I mend nets.')
    await expect(frame.getByText(/^Saved /)).toBeVisible()
    await page.reload()
    await expect(frame.getByLabel('What do you do?')).toHaveValue('I mend nets.')
    await frame.getByRole('button', { name: 'Next', exact: true }).click()
    await frame.getByRole('checkbox', { name: 'What I say is true' }).check()
    await frame.getByRole('button', { name: 'Submit Request' }).dblclick()
    await expect(frame.getByText(submissionTexts.sent)).toBeVisible()
  })

  it('follows the colour scheme of the surrounding page without losing entered values', async () => {
    const { page } = await testApp.visit({ scheme: 'light' })
    await signInAsMember(page)
    await page.goto(`/form/${formId}/Your%20work`)
    const frame = page.frameLocator('iframe[title="Your work"]')
    await frame.getByRole('radio', { name: 'Yes' }).check()
    const inside = page.frames().find((each) => each.url().includes(formFramePath))
    assert.ok(inside)
    await inside.evaluate('window.isAsItWas = true')
    const typed = frame.getByLabel('Where do you do it?')
    await typed.fill('At the quay.')
    const schemeOf = (scheme: string) =>
      expect(frame.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
    await page.emulateMedia({ colorScheme: 'dark' })
    await schemeOf('dark')
    await page.getByRole('button', { name: 'Switch to light mode' }).click()
    await schemeOf('light')
    await expect(typed).toHaveValue('At the quay.')
    assert.equal(await inside.evaluate('window.isAsItWas'), true)

    // Any window can post messages: the frame accepts only those of its parent page.
    await inside.evaluate(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => data.last && requestAnimationFrame(resolve))
      postMessage({ kind: 'form-scheme', isDark: true }, '*')
      postMessage({ last: true }, '*')
    })`)
    await schemeOf('light')
  })

  it('takes its colours from the address, and the member from the session alone', async () => {
    const { page } = await testApp.visit({ scheme: 'light' })
    await signInAsMember(page)
    const unknownId = '019a0000-0000-7000-8000-000000000000'
    const dark = await frameOn(page, { dark: '1', 'members-portal': '1', id: unknownId })
    await expect(dark.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await expect(dark.getByRole('form')).toBeVisible()
    const edgeOf = async (frame: FrameLocator) => (await frame.getByRole('form').boundingBox())?.x ?? 0
    const inPortal = await edgeOf(dark)
    const light = await frameOn(page, { dark: '0' })
    await expect(light.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    await expect(light.getByRole('form')).toBeVisible()
    // Standalone, the form has its own margin; in the portal the surrounding page provides it.
    assert.ok((await edgeOf(light)) > inPortal)
    const none = await frameOn(page, { form: 'no-such-form' })
    await expect(none.getByText('Form not found')).toBeVisible()
    const unknown = await frameOn(page, { form: unknownId })
    await expect(unknown.getByText('Form not found')).toBeVisible()
  })

  it('posts its height to a page on its own origin', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const frame = await frameOn(page, { id: signIns.member })
    await expect(frame.getByRole('form')).toBeVisible()
    await expect
      .poll(async () => (await receivedBy(page)).filter(({ kind }) => kind === 'form-height').length > 0)
      .toBe(true)
    for (const { origin, height } of await receivedBy(page)) {
      assert.equal(origin, testApp.url)
      assert.ok(height === undefined || height > 0)
    }
  })

  it('is framed by no other origin, which receives no messages even if the browser allowed the frame', async () => {
    const { page, context } = await testApp.visit({ foreignOrigins: [foreignOrigin] })
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(foreignOrigin)
    await expect.poll(() => said.some((text) => /frame-ancestors/.test(text)), { message: said.join() }).toBe(true)
    await expect(page.frameLocator('iframe').locator('#root')).toHaveCount(0)

    // Simulates a missing frame policy: messages are targeted at our origin, so the browser delivers them to no other.
    await context.route(`**${formFramePath}?*`, async (route) => {
      const answer = await route.fetch()
      const headers = Object.fromEntries(
        Object.entries(answer.headers()).filter(([name]) => !/security-policy|x-frame|cross-origin/.test(name)),
      )
      await route.fulfill({ response: answer, headers })
    })
    await page.goto(foreignOrigin)
    await expect(page.frameLocator('iframe').getByText('Please sign in')).toBeVisible()
    // A message to any origin arrives after all earlier ones, so nothing was posted before it.
    const inside = page.frames().find((frame) => frame.url().includes(formFramePath))
    await inside?.evaluate(`parent.postMessage({ kind: 'to-anybody' }, '*')`)
    await expect.poll(async () => (await receivedBy(page)).length).toBeGreaterThan(0)
    assert.deepEqual(await receivedBy(page), [{ kind: 'to-anybody', origin: testApp.url }])
  })
})
