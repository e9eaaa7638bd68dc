import { texts } from '@atrium/contract/texts.ts'
import type { Page } from 'playwright'
import { expect } from '../visit.ts'
import { openFailed, openSettled, type Screen } from './screen.ts'

/** Beside a wide list the first member opens by itself; a narrow one shows the list. */
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
  {
    name: 'desk members',
    state: 'full',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/members', (on) => on.getByRole('list', { name: 'Members' })),
  },
  {
    name: 'desk members',
    state: 'empty',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/members?q=nobody-at-all', (on) => on.getByText(texts.noResults)),
  },
  { name: 'desk members', state: 'member', onlooker: 'staff', open: openMember },
  {
    name: 'desk members',
    state: 'locking',
    onlooker: 'staff',
    async open(page) {
      await openMember(page)
      await page.getByRole('button', { name: 'Lock sign-in' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  { name: 'desk members', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/members') },
  {
    name: 'desk audit',
    state: 'full',
    onlooker: 'staff',
    open: (page) => openSettled(page, '/desk/audit', (on) => on.getByRole('list', { name: 'Audit log' })),
  },
  { name: 'desk audit', state: 'error', onlooker: 'staff', open: (page) => openFailed(page, '/desk/audit') },
]
