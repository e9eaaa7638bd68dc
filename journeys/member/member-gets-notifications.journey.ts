// spec: OP notifications
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright'
import { signIns } from '../../demo/harbour-markets.ts'
import type { System } from '../../server/foundation/actor.ts'
import { inTransaction, reading } from '../../server/foundation/database/database.ts'
import { type Notification, notify } from '../../server/notifications/notify.ts'
import { linksIn, mailsTo } from '../../tests/fixtures/mailbox.ts'
import { signInAsMember } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a member receives notifications', () => {
  let testApp: TestApp
  let system: System
  let memberId: string
  let said = 0
  before(async () => {
    testApp = await openTestApp()
    system = testApp.system
    memberId = await reading(system, async (tx) => {
      const found = tx.selectFrom('members').select('member_id').where('workspace_id', '=', system.workspaceId)
      return (await found.where('email', '=', signIns.second).executeTakeFirstOrThrow()).member_id
    })
  })
  afterEach(() => testApp.endVisits())
  after(() => testApp.close())

  /** Creates a notification as a job or the desk does, on any process. */
  async function addNotification(change: Partial<Notification> = {}): Promise<void> {
    said += 1
    const notification: Notification = {
      memberId,
      kind: 'deposit.approved',
      dedupeKey: `journey:${said}`,
      title: 'Deposit T-{{ticket}} was credited',
      body: '{{amount}} is on your trading account.',
      details: { ticket: String(5000 + said), amount: '12.34 USD' },
      target: { kind: 'transaction' },
      ...change,
    }
    await inTransaction(system, (tx) => notify(tx, system, notification))
  }

  /** Counts in the database: a bell that has not loaded yet also shows nothing. */
  const unreadCount = () =>
    reading(system, async (tx) => {
      const own = tx.selectFrom('notices').where('workspace_id', '=', system.workspaceId)
      const unread = own.where('member_id', '=', memberId).where('read_at', 'is', null)
      return (await unread.select('notice_id').execute()).length
    })

  const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
  const opened = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })

  for (const width of [1280, 390])
    it(`sees them under the bell without a reload, at ${width} pixels`, async () => {
      const { page } = await testApp.visit({ width })
      await signInAsMember(page, 'second')
      await expect(bell(page)).toBeVisible()
      const already = await unreadCount()
      await addNotification()
      await expect(bell(page)).toHaveAccessibleName(`Notifications, ${already + 1} unread`)
      await bell(page).click()
      const newest = opened(page).getByRole('listitem').first()
      await expect(newest).toContainText(`Deposit T-${5000 + said} was credited`)
      await expect(newest).toContainText('Unread')
      await addNotification()
      await expect(opened(page).getByRole('listitem').first()).toContainText(`T-${5000 + said}`)
      await opened(page).getByRole('listitem').first().getByRole('button').click()
      await expect(page).toHaveURL(/\/funds\/transactions/)
      await expect(opened(page)).toBeHidden()
      await expect(bell(page)).toHaveAccessibleName(`Notifications, ${already + 1} unread`)
      await bell(page).click()
      await opened(page).getByText('Unread', { exact: true }).first().click({ force: true })
      await opened(page).getByRole('button', { name: 'Mark all as read' }).click()
      await expect(opened(page).getByText('No unread notifications')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(bell(page)).toHaveAccessibleName('Notifications')
    })

  it('opens the transaction from its notification', async () => {
    const { transaction_id: id, ticket } = await reading(system, async (tx) => {
      const found = tx.selectFrom('balance_transactions').select(['transaction_id', 'ticket'])
      const own = found.where('workspace_id', '=', system.workspaceId).where('member_id', '=', memberId)
      return own.orderBy('ticket').limit(1).executeTakeFirstOrThrow()
    })
    const { page } = await testApp.visit({ width: 1440 })
    await signInAsMember(page, 'second')
    await addNotification({
      details: { ticket: String(ticket), amount: '12.34 USD' },
      target: { kind: 'transaction', id },
    })
    await bell(page).click()
    await opened(page).getByRole('listitem').first().getByRole('button').click()
    await expect(page).toHaveURL(new RegExp(`open=${id}`))
    await expect(page.getByRole('region', { name: new RegExp(`^Transaction .*${ticket}$`) })).toBeVisible()
    await expect(bell(page)).toHaveAccessibleName('Notifications') // The read mark is also stored on the server.
  })

  it('sees the same read marks in every tab', async () => {
    const visit = await testApp.visit()
    await signInAsMember(visit.page, 'second')
    const other = await testApp.visit()
    await signInAsMember(other.page, 'second')
    await addNotification()
    for (const { page } of [visit, other]) await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
    await bell(visit.page).click()
    await opened(visit.page).getByRole('button', { name: 'Mark all as read' }).click()
    await expect(bell(other.page)).toHaveAccessibleName('Notifications')
  })

  it('gets them by mail if chosen, and unsubscribes by the link in the mail', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page, 'second')
    await page.goto('/profile')
    const support = page.getByRole('switch', { name: 'Support' })
    await expect(page.getByRole('switch', { name: 'Security' })).toBeDisabled()
    await expect(support).toBeChecked()
    await support.click({ force: true })
    await expect(support).not.toBeChecked()
    const before = (await mailsTo(system, signIns.second)).length
    await addNotification({ kind: 'ticket.answered', title: 'Ticket 1 was answered', target: { kind: 'ticket' } })
    assert.equal((await mailsTo(system, signIns.second)).length, before)
    await addNotification()
    const mail = (await mailsTo(system, signIns.second)).at(-1)
    const link = linksIn(mail?.text ?? '').find((url) => url.includes('/end-mails/'))
    assert.ok(link)
    const visitor = await testApp.visit()
    await visitor.page.goto(new URL(link).pathname)
    await visitor.page.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(visitor.page.getByText('You no longer receive emails about deposits.')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('switch', { name: 'Deposits' })).not.toBeChecked()
  })
})
