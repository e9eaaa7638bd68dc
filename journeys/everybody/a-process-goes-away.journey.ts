// spec: OP operation
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { signOut } from '@atrium/contract/sessions/calls.ts'
import { approve, openAtDesk } from '../kit/deciding.ts'
import { depositForm, makeDeposit, openTransaction } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

/** Three processes behind a balancer: visitors must not notice when one of them stops or restarts. */
describe('a browser session while server processes stop and start', () => {
  let testApp: TestApp
  before(async () => {
    testApp = await openTestApp({ processes: 3 })
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  it('continues after one process is killed and restarted', async () => {
    const [one] = testApp.processes
    assert.ok(one)
    const visit = await testApp.visit()
    const { page } = visit
    await signInAsMember(page)
    // Requests in flight on the killed process got no response.
    visit.expectStatus(502)
    visit.expectFailure('ERR_EMPTY_RESPONSE')
    visit.expectFailure('ERR_INCOMPLETE_CHUNKED_ENCODING')
    await one.kill()
    for (const path of ['/accounts', '/funds/transactions', '/documents', '/support', '/home']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
    }
    await one.start()
    await page.goto('/funds/deposit')
    await expect(depositForm(page).account).toBeVisible()
  })

  it('loses no response when one process shuts down gracefully, as in an upgrade', async () => {
    const [, other] = testApp.processes
    assert.ok(other)
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const token = await page.evaluate<string>(`sessionStorage.getItem('atrium.portal.session').split(' ')[1]`)
    const statuses = new Set<number>()
    let isOver = false
    // Stays below the session's rate limit even while the remaining two processes share the load.
    const ask = async (): Promise<void> => {
      while (!isOver) {
        statuses.add(await testApp.statusWith(token))
        await setTimeout(300)
      }
    }
    const asking = Array.from({ length: 8 }, ask)
    await other.end()
    await other.start()
    isOver = true
    await Promise.all(asking)
    assert.deepEqual([...statuses], [200])
  })

  it('ends on all processes when the member signs out', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const token = await page.evaluate<string>(`sessionStorage.getItem('atrium.portal.session').split(' ')[1]`)
    await page.getByRole('button', { name: /^Profile menu of / }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    // Leaves the page as soon as the sign-out is answered.
    const isAnswered = page.waitForResponse((response) => response.url().endsWith(signOut.path))
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await isAnswered
    // Asks more often than there are processes, so that the balancer reaches each one.
    for (let turn = 0; turn < 12; turn += 1) assert.equal(await testApp.statusWith(token), 401)
  })

  it('credits a deposit once, whichever process handles each step', async () => {
    const member = await testApp.visit()
    await signInAsMember(member.page)
    const ticket = await makeDeposit(member.page, {
      login: '700123',
      amount: '123.45',
      comment: 'By several processes',
    })
    const desk = await testApp.visit()
    await signInAsStaff(desk.page)
    await openAtDesk(desk.page, ticket)
    await approve(desk.page, ticket)
    const detail = await openTransaction(member.page, ticket)
    await expect(detail).toContainText('Credited to your trading account', { timeout: 30_000 })
    for (let turn = 0; turn < 3; turn += 1) {
      await member.page.reload()
      await expect(detail).toContainText('Credited to your trading account')
    }
    const deals = testApp.platform.ledger('700123')
    assert.equal(deals.filter(({ amount }) => Number(amount) === 123.45).length, 1)
  })
})
