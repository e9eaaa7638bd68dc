import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import pg from 'pg'
import type { Page } from 'playwright'
import { demoPassword, signIns } from '../../demo/harbour-markets.ts'
import { enterCredentials } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect, type Visit, withoutLiveMetrics } from '../kit/visit.ts'

/** Unbreakable words, several script injections, direction-override marks and stacked combining marks. */
const script = `"'><img src=x onerror=alert(1)><svg/onload=alert(2)><script>alert(3)</script>{{7*7}}`
const word = `${'W'.repeat(50)}👨‍👩‍👧\u202eevil\u202c\u200b${'a\u0301\u0302\u0303'.repeat(8)}`
const worst = `${'W'.repeat(24)}${script}${word}`

type Definition = {
  steps: { name: string; fields: { name: string; type: string; description: string; options: { label: string }[] }[] }[]
}

/**
 * The most hostile strings in every field that takes one: on a narrow phone and on a wide desktop no script runs, no
 * content-security-policy violation is reported, and no page is wider than its window.
 */
describe('hostile strings in names, addresses, titles, branding and terms', () => {
  let testApp: TestApp
  let owner: pg.Client
  const tooWides: string[] = []

  before(async () => {
    testApp = await openTestApp({ wholeDatabase: true })
    owner = new pg.Client({ connectionString: String(testApp.context.config.databaseUrl) })
    await owner.connect()
    await owner.query('set session_replication_role = replica') // Triggers otherwise forbid changes to history.
    const columns: [string, string[]][] = [
      ['members', ['first_name', 'last_name', 'title']],
      ['member_addresses', ['address_line_1', 'address_line_2', 'city', 'postcode', 'state']],
      ['staff_users', ['name']],
      ['workspaces', ['name']],
      ['balance_transactions', ['comment', 'origin', 'rejection_note']],
      ['bank_accounts', ['bank_name', 'account_holder']],
      ['fund_accounts', ['name', 'provider', 'address_id', 'notes']],
      ['company_bank_accounts', ['name', 'bank_name', 'account_holder']],
      ['payment_providers', ['title']],
      ['media', ['name']],
      ['tickets', ['subject', 'description', 'taken_by_name']],
      ['ticket_messages', ['content', 'staff_name']],
      ['ticket_notes', ['content', 'staff_name']],
      ['canned_replies', ['content']],
      ['documents', ['title', 'description', 'reject_reason', 'unverify_reason']],
      ['document_requests', ['note']],
      ['document_events', ['note']],
      ['file_categories', ['name', 'description']],
      ['valid_documents', ['name']],
      ['terms_templates', ['name', 'tickbox_text']],
      ['request_types', ['name', 'description']],
      ['requests', ['subject', 'description', 'comment']],
      ['forms', ['name', 'category']],
      ['sessions', ['user_agent']],
    ]
    for (const [table, names] of columns) {
      const { rows } = await owner.query<{ name: string }>(
        'select column_name as name from information_schema.columns where table_name = $1 and column_name = any($2)',
        [table, names],
      )
      for (const { name } of rows) await fill(table, name)
    }
    await fillForms()
    await owner.query('set session_replication_role = origin')
  })
  /** A ticket with a conversation, of the member who views it. */
  async function aTicket(): Promise<string> {
    const { rows } = await owner.query<{ id: string }>(
      'select ticket_id as id from tickets join members using (workspace_id, member_id) where email = $1 order by messages desc limit 1',
      [signIns.member],
    )
    return rows[0]?.id ?? ''
  }
  /** The member's request with the longest workflow, and a form on a page and in a frame. */
  async function requestPages(): Promise<string[]> {
    const { rows } = await owner.query<{ request: string; type: string; form: string }>(
      `select request_id as request, types.request_type_id as type, types.form_id as form
       from requests join members using (workspace_id, member_id)
       join form_answers using (workspace_id, request_id)
       join request_types types on types.request_type_id = requests.request_type_id
       where members.email = $1 limit 1`,
      [signIns.member],
    )
    const [found] = rows
    assert.ok(found)
    return [
      ...['/requests', '/requests?tab=history', `/requests?tab=history&id=${found.request}`],
      ...[`/requests-types/${found.type}`, `/form/${found.form}/${'W'.repeat(200)}`, `/forms/view?form=${found.form}`],
    ]
  }
  /** The texts inside every form: labels, help, options and step names. */
  async function fillForms(): Promise<void> {
    const { rows } = await owner.query<{ form_id: string; version: number; definition: Definition }>(
      'select form_id, version, definition from form_versions',
    )
    const text = [...worst].slice(0, 120).join('')
    for (const { form_id, version, definition } of rows) {
      for (const step of definition.steps) {
        step.name = text
        for (const field of step.fields) {
          field.name = text
          if (field.type !== 'static_content') field.description = text
          for (const option of field.options) option.label = text
        }
      }
      await owner.query('update form_versions set definition = $1 where form_id = $2 and version = $3', [
        JSON.stringify(definition),
        form_id,
        version,
      ])
    }
  }
  /** As many characters as the column takes. */
  async function fill(table: string, column: string): Promise<void> {
    // On the member's messages no staff name may appear.
    const where = table === 'ticket_messages' && column === 'staff_name' ? ' where staff_id is not null' : ''
    for (const length of [400, 120, 80, 40]) {
      const text = [...worst].slice(0, length).join('')
      const set = `update ${table} set ${column} = $1${where}`
      const problem = await owner.query(set, [text]).catch((thrown: unknown) => thrown)
      if (!(problem instanceof pg.DatabaseError)) return
      assert.equal(problem.code, '23514', `${table}.${column}: ${problem.message}`)
    }
    throw new Error(`${table}.${column} accepts no hostile string.`)
  }

  /** A live account of the member with every field filled. */
  async function largeAccount(): Promise<string> {
    const { rows } = await owner.query<{ id: string }>(
      `update trading_accounts set balance = 123456789012.34, equity = 123456789012.34 where account_id =
       (select account_id from trading_accounts join members using (workspace_id, member_id)
        where email = $1 and live_account and not deleted and not archived and not enable_read_only order by currency desc limit 1)
       returning account_id as id`,
      [signIns.member],
    )
    assert.ok(rows[0])
    return rows[0].id
  }

  afterEach(() => testApp.endVisits())
  after(async () => {
    await owner.end()
    await testApp.close()
  })

  async function come(width: number): Promise<Visit> {
    const visit = await testApp.visit({ width })
    await withoutLiveMetrics(visit.page)
    return visit
  }

  async function visitPage(page: Page, path: string, width: number): Promise<void> {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('main').or(page.getByRole('dialog')).first()).toBeVisible()
    const tooWide = await page.evaluate<string[]>(whatIsTooWide)
    if (tooWide.length > 0) tooWides.push(`${path} at ${width}: ${tooWide.join(', ')}`)
  }

  for (const width of [360, 1280]) {
    it(`break no page of the portal at ${width}`, async () => {
      const { page } = await come(width)
      await visitPage(page, '/login', width)
      await enterCredentials(page, { email: signIns.member, password: demoPassword })
      await expect(page).toHaveURL(/\/home\/?$/)
      const account = await largeAccount()
      for (const path of [
        '/home',
        '/accounts',
        '/accounts/open-live-account',
        '/dashboard?period=all',
        '/platforms',
        '/documents',
        '/support',
        '/support?tab=taken',
        ...(await requestPages()),
        `/support?id=${await aTicket()}`,
        '/funds',
        '/funds/transactions',
        '/funds/deposit',
        `/funds/deposit/${account}`,
        '/funds/withdraw',
        `/funds/withdraw/${account}`,
        '/funds/bank-accounts',
        '/funds/other-accounts',
        '/funds/deposit-demo',
        '/profile',
        '/unauthorized',
        '/nothing',
      ])
        await visitPage(page, path, width)
      assert.deepEqual(tooWides.splice(0), [])
    })

    it(`break no page of the desk at ${width}`, async () => {
      const { page } = await come(width)
      await visitPage(page, '/desk/login', width)
      await enterCredentials(page, { email: signIns.staff, password: demoPassword })
      await expect(page).toHaveURL(/\/desk\/deposits/)
      const [ids] = (
        await owner.query<{ deposit: string; member: string; document: string }>(
          `select (select transaction_id from balance_transactions limit 1) as deposit,
                  (select member_id from members limit 1) as member,
                  (select document_id from documents where status = 'rejected' limit 1) as document`,
        )
      ).rows
      assert.ok(ids?.deposit && ids.member && ids.document)
      const { deposit, member, document } = ids
      const own = [
        '/desk/settings',
        '/desk/staff',
        '/desk/audit',
        '/desk/account',
        '/desk/accounts',
        '/desk/platforms',
        '/desk/providers',
        '/desk/payments',
        '/desk/openings',
        '/desk/mails',
        '/desk/documents?state=all',
        `/desk/documents/${document}`,
        `/desk/members/${member}/documents`,
        '/desk/document-categories',
        '/desk/tickets',
        ...['/desk/requests', '/desk/request-types', '/desk/forms'],
        `/desk/tickets/${await aTicket()}`,
      ]
      for (const path of [
        '/desk/deposits',
        '/desk/withdrawals',
        `/desk/deposits/${deposit}`,
        '/desk/members',
        `/desk/members/${member}`,
        ...own,
      ])
        await visitPage(page, path, width)
      assert.deepEqual(tooWides.splice(0), [])
    })
  }
})

/** Null if the page fits its window, otherwise the class names of the elements that overflow it. */
const whatIsTooWide = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => each.tagName.toLowerCase() + '.' + String(each.className.baseVal ?? each.className).split(' ').join('.'))
  .slice(0, 12)`
