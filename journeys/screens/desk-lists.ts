import { texts } from '@atrium/contract/texts.ts'
import type { Locator, Page } from 'playwright'
import { type DeskList, deskLists } from './declared-lists.ts'
import { openFailed, openLoading, openSettled, type Screen } from './screen.ts'

/** What shows that a list is complete, where it is more than a list or table with the title of the screen. */
const complete: Record<string, (page: Page) => Locator> = {
  '/accounts': (page) => page.getByText('Elena Rossi'),
  '/forms': (page) => page.getByRole('button', { name: 'New form' }),
  '/mails': (page) => page.getByText('May have arrived'),
  '/openings': (page) => page.getByText('Not opened'),
  '/reconciliation': (page) => page.getByText(/^(Missing in the portal|No transactions\.)$/).first(),
  '/trading-accounts': (page) => page.getByRole('link', { name: 'Open account' }).first(),
}

const byTitle = (page: Page, title: string): Locator =>
  page.getByRole('list', { name: title }).or(page.getByRole('table', { name: title }))

function statesOf({ address, title, search }: DeskList): Screen[] {
  const path = `/desk${address}`
  const shared = { name: `desk ${address.slice(1).replaceAll('-', ' ')}`, viewer: 'staff' } as const
  const ready = complete[address] ?? ((page) => byTitle(page, title))
  const nothingFound: Screen = {
    ...shared,
    state: 'nothing found',
    open: (page) => openSettled(page, `${path}?${search}=nobody-at-all`, (on) => on.getByText(texts.noResults)),
  }
  return [
    { ...shared, state: 'full', open: (page) => openSettled(page, path, ready) },
    ...(search ? [nothingFound] : []),
    { ...shared, state: 'loading', open: (page) => openLoading(page, path) },
    { ...shared, state: 'error', open: (page) => openFailed(page, path) },
  ]
}

/** The states that every list of the desk has. Those of one list alone are beside it, under the same name. */
export const deskListScreens: Screen[] = deskLists.flatMap(statesOf)
