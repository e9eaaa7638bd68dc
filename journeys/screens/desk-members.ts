import type { Page } from 'playwright'
import { expect } from '../kit/visit.ts'
import { openSettled, type Screen } from './screen.ts'

/** On a wide screen the first member opens automatically; a narrow one shows the list. */
async function openMember(page: Page): Promise<void> {
  await openSettled(page, '/desk/members?q=Hart', (on) =>
    on.getByRole('list', { name: 'Members' }).or(on.getByRole('article')).first(),
  )
  const article = page.getByRole('article', { name: 'Member 100417' })
  if (!(await article.isVisible())) await page.getByRole('link', { name: /Amelia Hart/ }).click()
  await expect(article).toBeVisible()
  await expect(page.getByText('Last transactions')).toBeVisible()
  await expect(article.getByRole('region', { name: 'Accepted terms' }).getByRole('link').first()).toBeVisible()
}

export const deskMemberScreens: Screen[] = [
  { name: 'desk members', state: 'member', viewer: 'staff', open: openMember },
  {
    name: 'desk members',
    state: 'locking',
    viewer: 'staff',
    async open(page) {
      await openMember(page)
      await page.getByRole('button', { name: 'Lock sign-in' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'desk members',
    state: 'inviting',
    viewer: 'staff',
    async open(page) {
      await openSettled(page, '/desk/members', (on) => on.getByRole('list', { name: 'Members' }))
      await page.getByRole('button', { name: 'Invite a member' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).click()
      await expect(page.getByText('Please fill in this field.').first()).toBeVisible()
    },
  },
  {
    name: 'desk members',
    state: 'invited',
    viewer: 'staff',
    async open(page) {
      const person = { _id: '0190a0b0-0000-7000-8000-000000000001', name: 'Sven Seller', customer_number: '100900' }
      const change = { at: 1_700_000_000_000, by: 'Nora Vella', from: null, to: person, reason: 'They told us.' }
      await page.route(/\/desk\/api\/members\/[0-9a-f-]{36}$/, async (route) => {
        const answer = await route.fetch()
        const { member, ...rest } = await answer.json()
        const invited = { status: 'invited', invited_until: 1_900_000_000_000, referrer: person, last_seen_at: null }
        const referrals = [{ _id: person._id, ...change }]
        await route.fulfill({ json: { ...rest, member: { ...member, ...invited, referrals } } })
      })
      await openMember(page)
      await expect(page.getByText('Invited: no password is set yet')).toBeVisible()
    },
  },
  ...(['Change name or email', 'Change referrer', 'Make a sales person'] as const).map(
    (name): Screen => ({
      name: 'desk members',
      state: name.toLowerCase(),
      viewer: 'staff',
      async open(page) {
        await openMember(page)
        await page.getByRole('button', { name }).click()
        await expect(page.getByRole('dialog').getByLabel('Reason')).toBeVisible()
      },
    }),
  ),
]
