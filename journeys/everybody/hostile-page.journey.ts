import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { inTransaction } from '../../server/foundation/database/database.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { makePng } from '../../tests/fixtures/sample-files.ts'
import { enterCredentials } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, type Visit } from '../kit/visit.ts'

/**
 * Portal and API on two hosts, with a hostile page in the same browser: once on another site, once on a sibling host, whose
 * requests would carry the cookies.
 */
describe('portal and API on two hosts', () => {
  let testApp: TestApp
  let hostile: Server
  let portal: string
  let calls: string
  let hostileOrigins: string[]

  before(async () => {
    const API_ORIGIN = 'http://{workspace}.api.members.localhost:{port}'
    testApp = await openTestApp({ environment: { ATRIUM_DOMAIN: 'members.localhost', API_ORIGIN } })
    const { port } = testApp.context.config
    portal = `http://members.localhost:${port}`
    calls = `http://harbour.api.members.localhost:${port}`
    hostile = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Prize</title><body>You have won')
    })
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    const at = (hostile.address() as AddressInfo).port
    hostileOrigins = [`http://evil.localhost:${at}`, `http://evil.members.localhost:${at}`]
  })
  afterEach(() => testApp.endVisits())
  after(async () => {
    await new Promise((resolve) => hostile.close(resolve))
    await testApp.close()
  })

  async function signIn(): Promise<Visit> {
    const visit = await testApp.visit({ foreignOrigins: hostileOrigins })
    await visit.page.goto(`${portal}/login`)
    await enterCredentials(visit.page, { email: signIns.member, password: demoPassword })
    await expect(visit.page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
    return visit
  }

  /** A tab in the same browser with the same cookies; its console errors are ignored. */
  async function openHostilePage({ context }: Visit, origin: string): Promise<Page> {
    const page = await context.newPage()
    await page.goto(origin)
    return page
  }

  async function addPicture(): Promise<string> {
    const { system } = testApp
    const { member_id } = await inTransaction(system, (tx) =>
      tx
        .selectFrom('members')
        .where(here)
        .select('member_id')
        .where('email', '=', signIns.member)
        .executeTakeFirstOrThrow(),
    )
    const picture = { name: 'receipt.png', extension: 'png', content_type: 'image/png', kind: 'image' }
    const id = await addMedia(system, { memberId: member_id, ...picture, content: makePng() })
    return `${calls}/cp/private/files/${id}/receipt.png`
  }

  const loads = (page: Page, url: string): Promise<boolean> =>
    page.evaluate<boolean>(`new Promise((resolve) => {
      const image = new Image()
      image.onload = () => resolve(true)
      image.onerror = () => resolve(false)
      image.src = '${url}'
    })`)

  it('work for a member, including images, and send every call to the API host', async () => {
    const asked: string[] = []
    const visit = await testApp.visit()
    visit.page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) asked.push(new URL(request.url()).origin)
    })
    await visit.page.goto(`${portal}/login`)
    await enterCredentials(visit.page, { email: signIns.member, password: demoPassword })
    await visit.page.getByRole('link', { name: 'Transactions' }).first().click()
    await expect(visit.page.getByRole('heading', { level: 1, name: 'Transactions' })).toBeVisible()
    await expect(visit.page.getByRole('row').nth(1)).toBeVisible()
    assert.deepEqual([...new Set(asked)], [calls])
    assert.equal(await loads(visit.page, await addPicture()), true)
  })

  it('reveal nothing to a hostile page, whatever it requests', async () => {
    const visit = await signIn()
    const picture = await addPicture()
    const stored = await visit.page.evaluate<string>("sessionStorage.getItem('atrium.portal.session')")
    const [, token = ''] = stored.split(' ')
    assert.notEqual(token, '')
    for (const hostileOrigin of hostileOrigins) {
      const page = await openHostilePage(visit, hostileOrigin)
      for (const host of [portal, calls]) {
        const outcome = await page.evaluate<string[]>(`Promise.all(
          [
            {},
            { headers: { authorization: 'Bearer ${token}' } },
            { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
            { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } },
          ].map((one) => fetch('${host}/user/permissions', { credentials: 'include', ...one }).then(() => 'read', () => 'refused')),
        )`)
        assert.deepEqual([...new Set(outcome)], ['refused'], `${hostileOrigin} at ${host}`)
      }
      const isSameSite = hostileOrigin.includes('members.')
      if (!isSameSite) assert.equal(await loads(page, picture), false, hostileOrigin)
      await page.close()
    }
    await visit.page.reload()
    await expect(visit.page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
  })

  it('cannot be framed', async () => {
    const visit = await signIn()
    for (const hostileOrigin of hostileOrigins) {
      for (const path of ['/login', '/home/', '/forgot-password/', '/desk/login', '/desk/deposits']) {
        const page = await openHostilePage(visit, hostileOrigin)
        const refused = page.waitForEvent('console', { predicate: (message) => /frame/i.test(message.text()) })
        await page.evaluate(
          `document.body.append(Object.assign(document.createElement('iframe'), { src: '${portal}${path}' }))`,
        )
        assert.match((await refused).text(), /frame-ancestors 'none'|X-Frame-Options/, path)
        const [frame] = page.mainFrame().childFrames()
        assert.ok(frame)
        await expect.poll(() => frame.url()).toMatch(/^chrome-error:/)
        await page.close()
      }
    }
  })

  it('receive no messages from a page that opened or found their window', async () => {
    const visit = await signIn()
    for (const hostileOrigin of hostileOrigins) {
      const page = await openHostilePage(visit, hostileOrigin)
      const opening = visit.context.waitForEvent('page')
      await page.evaluate(`void (window.opened = window.open('${portal}/login'))`)
      const opened = await opening
      await expect(opened.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
      // The last request of the hostile page; a later one could be mistaken for the effect of a message.
      await expect(opened.getByRole('region', { name: 'Demo sign-ins' })).toBeVisible()
      const before = await opened.evaluate(everythingThere)
      // The opener handle is cut: cross-origin-opener-policy puts the two into separate browsing context groups.
      assert.equal(
        await page.evaluate(
          `${messages}.forEach((data) => window.opened.postMessage(data, '*')); window.opened.closed`,
        ),
        true,
      )
      // Even without that policy, the page has no message listener.
      await opened.evaluate(
        `${messages}.forEach((data) => dispatchEvent(new MessageEvent('message', { data, origin: '${hostileOrigin}' })))`,
      )
      assert.deepEqual(await opened.evaluate(everythingThere), before)
      await opened.close()
      await page.close()
    }
  })
})

const everythingThere = "[location.href, JSON.stringify(localStorage), document.body.textContent].join('\\n')"
const messages = "['signed-out', { type: 'sign-out' }, { token: 'x' }, { type: 'navigate', to: '//evil.test' }, null]"
