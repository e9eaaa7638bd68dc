import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { outcomeTexts } from '@atrium/contract/funding/outcome-texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import pg from 'pg'
import type { Locator, Page } from 'playwright'
import { askToApprove, openAtDesk } from '../kit/deciding.ts'
import {
  acceptCreated,
  chooseOption,
  depositForm,
  fillDeposit,
  makeDeposit,
  openTransaction,
} from '../kit/depositing.ts'
import { comeBack, goOffline, isRefused, visitor } from '../kit/offline.ts'
import { signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'
import { fillWithdrawal, withdrawalForm } from '../kit/withdrawing.ts'

const login = '700123'

/** A form that moves money or sets where it goes: how to fill it, submit it, and what must remain afterwards. */
type MoneyForm = {
  name: string
  fill: (page: Page) => Promise<unknown>
  press: (page: Page) => Locator
  /** The entered values, or the item that awaits a decision. */
  expectRetained: (page: Page) => Promise<void>
  /** Leaving asks, since input would be lost. */
  asks?: boolean
}

const has = (field: (page: Page) => Locator, value: string) => (page: Page) => expect(field(page)).toHaveValue(value)
const bankDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Add Bank Account' })

const atProvider =
  (provider: string, amount: string, coin?: RegExp) =>
  async (page: Page): Promise<void> => {
    await page.goto('/funds/deposit')
    await chooseOption(page, depositForm(page).account, new RegExp(`#${login}`))
    await page.getByRole('radio', { name: provider }).check()
    if (coin) await chooseOption(page, page.getByRole('combobox', { name: 'Coin' }), coin)
    await depositForm(page).amount.fill(amount)
  }

async function fillBankAccount(page: Page): Promise<void> {
  await page.goto('/funds/bank-accounts')
  await page.getByRole('button', { name: 'Add Bank Account' }).click()
  const dialog = bankDialog(page)
  const entered = {
    'Bank name': 'Bank of no network',
    'Account holder': 'Amelia Hart',
    'SWIFT / BIC': 'DEUTDEFF',
    IBAN: 'DE89 3704 0044 0532 0130 00',
    'Street Address': 'Kaistr. 4',
    City: 'Hamburg',
    'State/Province': 'Hamburg',
  }
  await chooseOption(page, dialog.getByRole('combobox', { name: 'Currency', exact: true }), /^EUR/)
  for (const [name, text] of Object.entries(entered))
    await dialog.getByRole('textbox', { name, exact: true }).fill(text)
  await expect(dialog.getByRole('combobox', { name: 'Country', exact: true })).toHaveValue('Germany')
}

const memberForms: MoneyForm[] = [
  {
    name: 'a deposit by transfer',
    fill: (page) => fillDeposit(page, { login, amount: '34.01', comment: 'Without a network' }),
    press: (page) => depositForm(page).create,
    expectRetained: has((page) => depositForm(page).amount, '34.01'),
    asks: true,
  },
  {
    name: 'a deposit by a provider',
    fill: atProvider('Zota', '34.02'),
    press: (page) => page.getByRole('button', { name: 'Pay with Zota' }),
    expectRetained: has((page) => depositForm(page).amount, '34.02'),
    asks: true,
  },
  {
    name: 'a deposit by a coin',
    fill: atProvider('CoinPayments', '34.03', /^LTCT/),
    press: (page) => page.getByRole('button', { name: 'Pay with CoinPayments' }),
    expectRetained: has((page) => depositForm(page).amount, '34.03'),
    asks: true,
  },
  {
    name: 'a withdrawal',
    fill: (page) => fillWithdrawal(page, { login, amount: '34.04', comment: 'Without a network' }),
    press: (page) => withdrawalForm(page).create,
    expectRetained: has((page) => withdrawalForm(page).amount, '34.04'),
    asks: true,
  },
  {
    name: 'a demo deposit',
    async fill(page) {
      await page.goto('/funds/deposit-demo')
      await chooseOption(page, depositForm(page).account, /#700901/)
      await depositForm(page).amount.fill('34.05')
      await depositForm(page).comment.fill('Without a network')
    },
    press: (page) => depositForm(page).create,
    expectRetained: has((page) => depositForm(page).amount, '34.05'),
    asks: true,
  },
  {
    name: 'a bank account',
    fill: fillBankAccount,
    press: (page) => bankDialog(page).getByRole('button', { name: 'Save bank account' }),
    expectRetained: has((page) => bankDialog(page).getByRole('textbox', { name: 'Bank name' }), 'Bank of no network'),
  },
]

describe('a member loses the network', () => {
  let testApp: TestApp
  let owner: pg.Client
  before(async () => {
    testApp = await openTestApp()
    owner = new pg.Client({ connectionString: String(testApp.context.config.databaseUrl) })
    await owner.connect()
  })
  afterEach(() => testApp.endVisits())
  after(async () => {
    await owner.end()
    await testApp.close()
  })

  /** Counts all rows that these forms can create. */
  async function created(): Promise<Record<string, string>> {
    const { rows } = await owner.query(
      `select
        (select count(*) from balance_transactions where workspace_id = $1) as transactions,
        (select count(*) from deposit_orders where workspace_id = $1) as orders,
        (select count(*) from bank_accounts where workspace_id = $1) as bank_accounts,
        (select count(*) from platform_intents where workspace_id = $1) as platform_intents`,
      [testApp.system.workspaceId],
    )
    return rows[0]
  }

  const amountsLike = async (amounts: string[]): Promise<string[]> => {
    const { rows } = await owner.query(
      `select amount::numeric(20, 2)::text as amount from balance_transactions
       where workspace_id = $1 and abs(amount) = any($2::numeric[])`,
      [testApp.system.workspaceId, amounts],
    )
    return rows.map(({ amount }) => amount.replace('-', '')).toSorted()
  }

  const stateOf = async (ticket: string): Promise<string> => {
    const { rows } = await owner.query(
      'select state from balance_transactions where workspace_id = $1 and ticket = $2',
      [testApp.system.workspaceId, ticket],
    )
    return rows[0].state
  }

  const changesOf = (page: Page): string[] => {
    const changes: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      const isChange = request.method() === 'POST' && !/^\/graph$|activity/.test(pathname)
      if (isChange) changes.push(pathname)
    })
    return changes
  }

  async function leaveForHome(page: Page, asks: boolean): Promise<void> {
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Home' }).click()
    if (asks)
      await page
        .getByRole('dialog', { name: 'Do you want to exit before saving?' })
        .getByRole('button', { name: 'Ok' })
        .click()
    await expect(page).toHaveURL(/\/home$/)
  }

  /** The home page's code may or may not have loaded before the network failed. */
  async function findHome(page: Page): Promise<void> {
    const home = page.getByRole('heading', { level: 1, name: /^Hello, / })
    const retry = page.getByRole('main').getByRole('button', { name: 'Try again' }).first()
    await expect(home.or(retry).first()).toBeVisible()
    if (!(await home.isVisible())) await retry.click()
    await expect(home).toBeVisible()
  }

  for (const { name, fill, press, expectRetained, asks = false } of memberForms)
    it(`${name} fails immediately, stays filled in, and is not sent later`, async () => {
      const visit = await visitor(testApp)
      const { page } = visit
      await fill(page)
      await page.waitForLoadState('networkidle')
      const before = await created()
      const changes = changesOf(page)
      await goOffline(visit)
      await isRefused(page, press(page))
      await expectRetained(page)
      await isRefused(page, press(page))
      if (asks) await leaveForHome(page, asks)
      await comeBack(visit)
      if (asks) await findHome(page)
      else await expectRetained(page)
      assert.deepEqual(changes, [])
      assert.deepEqual(await created(), before)
    })

  it('leaves a transaction unchanged when cancelling it fails, and shows why', async () => {
    const visit = await visitor(testApp)
    const { page } = visit
    const ticket = await makeDeposit(page, { login, amount: '34.06', comment: 'To be taken back' })
    const detail = await openTransaction(page, ticket)
    await page.waitForLoadState('networkidle')
    const changes = changesOf(page)
    await goOffline(visit)
    const button = detail.getByRole('button', { name: 'Cancel deposit' })
    await button.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel deposit' }).click()
    await expect(page.getByRole('alert').filter({ hasText: texts.offline })).toHaveCount(1)
    await expect(button).not.toHaveAttribute('data-loading')
    await leaveForHome(page, false)
    await comeBack(visit)
    assert.deepEqual(changes, [])
    assert.equal(await stateOf(ticket), 'pending')
  })

  it('shows the same error at the desk, which then has decided nothing', async () => {
    const member = await visitor(testApp)
    const ticket = await makeDeposit(member.page, { login, amount: '34.07', comment: 'To be decided' })
    const visit = await visitor(testApp, signInAsStaff)
    const { page, context } = visit
    const deposit = await openAtDesk(page, ticket)
    await page.waitForLoadState('networkidle')
    const changes = changesOf(page)
    const approving = await askToApprove(page, ticket)
    await context.setOffline(true)
    await isRefused(page, approving.getByRole('button', { name: 'Approve and credit' }))
    await page.keyboard.press('Escape')
    await expect(approving).toBeHidden()
    await deposit.getByRole('button', { name: 'Reject' }).click()
    const rejecting = page.getByRole('dialog', { name: /^Reject deposit/ })
    await rejecting.getByRole('radio', { name: 'Amount differs from the receipt' }).check()
    await rejecting.getByLabel('Note to the member (optional)').fill('Kept without a network')
    await isRefused(page, rejecting.getByRole('button', { name: 'Reject deposit' }))
    await expect(rejecting.getByLabel('Note to the member (optional)')).toHaveValue('Kept without a network')
    await comeBack(visit)
    assert.deepEqual(changes, [])
    assert.equal(await stateOf(ticket), 'pending')
  })

  it('leaves before a withdrawal was sent, and the old page sends nothing afterwards', async () => {
    const visit = await visitor(testApp)
    const { page } = visit
    await fillWithdrawal(page, { login, amount: '34.10', comment: 'Left on the way' })
    let goOn: () => void = () => undefined
    const isHeld = new Promise<void>((held) => {
      void page.route('**/members/get-unique-token', async (route) => {
        const isLetGo = new Promise<void>((resolve) => {
          goOn = resolve
        })
        held()
        await isLetGo
        await route.continue()
      })
    })
    // On a slow connection the next page's chunk takes time, and the form stays visible until then.
    let arrive: () => void = () => undefined
    const isThere = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route(/\/assets\/home-page-[^/]+\.js/, async (route) => {
      await isThere
      await route.continue()
    })
    const changes = changesOf(page)
    await withdrawalForm(page).create.click()
    await isHeld
    await leaveForHome(page, true)
    const token = page.waitForResponse('**/members/get-unique-token')
    goOn()
    await (await token).finished()
    await expect(withdrawalForm(page).create).toBeEnabled()
    arrive()
    await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(changes, ['/members/get-unique-token'])
    assert.deepEqual(await amountsLike(['34.10']), [])
  })

  it('shows at the first step of a withdrawal that nothing was sent', async () => {
    const visit = await visitor(testApp)
    const { page } = visit
    visit.expectFailure('net::ERR_FAILED')
    await fillWithdrawal(page, { login, amount: '34.11', comment: 'No token came' })
    await page.route('**/members/get-unique-token', (route) => route.abort())
    await withdrawalForm(page).create.click()
    await expect(page.getByRole('alert').filter({ hasText: outcomeTexts.notReached })).toBeVisible()
    await page.unroute('**/members/get-unique-token')
    await withdrawalForm(page).create.click()
    await acceptCreated(page)
    assert.deepEqual(await amountsLike(['34.11']), ['34.11'])
  })
})
