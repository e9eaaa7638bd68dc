// spec: MP 7
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { answerResetRequests, linksIn, mailsTo } from '../fixtures/mailbox.ts'
import { addTerms } from '../fixtures/requests.ts'
import { type Brokerage, openBrokerage, pdf, receipt } from './brokerage.ts'
import { type Client, clientAt, shapes } from './client.ts'

let brokerage: Brokerage
let client: Client
before(async () => {
  brokerage = await openBrokerage()
  client = brokerage.client
})
after(() => brokerage.close())

const origin = () => `http://localhost:${brokerage.context.config.port}`
type Found = { _id: string }

describe('access and session', () => {
  for (const as of shapes)
    it(`signs in and out (${as})`, async () => {
      const other = clientAt(origin())
      const { email, password } = brokerage.signIn
      const wrong = await other.send('/members/login', { email, password: 'Wrong-2026' }, as)
      assert.ok(wrong.status >= 400)
      assert.equal(wrong.body.error, 'Invalid email or password.')
      const answer = await other.done('/members/login', { email, password }, as)
      assert.equal((answer.user as Found)._id, brokerage.member.memberId)
      await other.signIn(email, password)
      await other.signOut()
      assert.equal((await other.send('/members/get-unique-token', { token_key: 'transaction_deposit' })).status, 401)
    })

  it('reads the data needed before the first page', async () => {
    for (const [path, name] of [
      ['/user/permissions', 'permissions'],
      ['/members/crm-settings', 'settings'],
      ['/countries/all', 'countries'],
      ['/members/trading/configuration', 'config'],
    ] as const)
      assert.ok(name in (await client.read(path)), path)
    await client.read('/members/currencies')
    await client.read('/members/taxonomies/taxonomies-by-entity?entity=customer')
    const { data } = await client.query<{ current_member: Found }>('{ current_member { _id } }')
    assert.equal(data.current_member._id, brokerage.member.memberId)
  })

  it('queries by GET and POST, in base64 or as text, with variables', async () => {
    const text = 'query Q($type: String) { other_accounts(type: $type) { _id } }'
    const variables = JSON.stringify({ type: 'crypto' })
    const base64 = (value: string) => Buffer.from(value).toString('base64')
    const addresses = [
      { q: base64(text), v: base64(variables) },
      { query: text, variables },
    ]
    for (const address of addresses) {
      const byAddress = await client.read(`/graph?${new URLSearchParams(address)}`)
      assert.deepEqual(byAddress.data, { other_accounts: [] })
      for (const as of ['json', 'form'] as const) {
        const asked = as === 'json' && 'query' in address ? { query: text, variables: { type: 'crypto' } } : address
        const { status, body } = await client.send('/graph', asked, as)
        assert.deepEqual([status, body.data], [200, { other_accounts: [] }], `${as} ${JSON.stringify(asked)}`)
      }
    }
  })

  it('changes the password, and resets a forgotten one', async () => {
    const { email } = brokerage.signIn
    const changed = { password: 'Lantern-2027', password_confirmation: 'Lantern-2027' }
    await client.done('/members/change-password', changed)
    await client.done('/members/reset-password/request', { email })
    await answerResetRequests(brokerage.system)
    const mail = (await mailsTo(brokerage.system, email)).find(({ text }) => text.includes('/reset-password/'))
    const code = linksIn(mail?.text ?? '')
      .map((link) => link.split('/reset-password/')[1])
      .find((found) => found)
    const { user } = await client.done('/members/reset-password/check-code', { code })
    const reset = { password: 'Anchor-2028', password_confirmation: 'Anchor-2028' }
    await client.done('/members/reset-password/process', { ...(user as object), process_reset: true, code, ...reset })
    await client.signIn(email, 'Anchor-2028')
    const again = { _id: brokerage.member.memberId, model: 'user', ...changed }
    await client.done('/users/change-password', again)
  })

  it('accepts the terms that block a section', async () => {
    await addTerms(brokerage.staff, { blocked_portal_sections: ['support'] })
    const complaint = { subject: 'Terms', description: 'They came first.', type: 'general' }
    const { status, body } = await client.send('/tickets/cp-create', complaint)
    assert.equal(status, 403)
    for (const { _id } of body.terms as Found[]) await client.done('/members/accept-terms/', { id: _id })
    await client.done('/tickets/cp-create', complaint)
  })
})

describe('profile and documents', () => {
  it('reads the profile', async () => {
    const { data } = await client.query<{ current_member: { accounts: Found[] } }>(`{ current_member {
      _id title name first_name last_name profile_pic { _id url } phones emails customer_number documents_status
      kyc_category_id accounts_live_count accounts_demo_count
      addresses { address_line_1 address_line_2 city postcode state primary country { name alpha_2 _id } }
      accounts { _id deleted currency platform_login platform_type trading_platform { type name } type group balance
        status country country_alpha2 live_account trade_info { floating_pnl } }
      bank_accounts { _id currency bank_account iban_number swift bank_name }
      requests_types_for_quick_links { _id name description created_at predefined_type form { _id name } } } }`)
    assert.ok(data.current_member.accounts.length >= 3)
  })

  for (const shape of ['an object with its documents', 'ids beside the customer'] as const)
    it(`submits a document uploaded separately: ${shape}`, async () => {
      const { categories } = await client.read('/file-categories/cp-search?kyc_category_id=GENERAL')
      assert.ok((categories as Found[]).length > 0)
      const document = await client.upload(pdf)
      const _id = brokerage.member.memberId
      const customer = { _id, documents: [document] }
      const sent = shape === 'an object with its documents' ? { customer } : { customer: _id, documents: [document] }
      const answer = await client.done('/clients/add-documents', sent)
      assert.equal((answer.documents as string[]).length, 1)
      assert.ok((categories as Found[]).some(({ _id: category }) => category === answer.category))
    })
})

describe('account opening', () => {
  for (const [kind, group, spell] of [
    ['demo', 'demo\\standard-usd', Number],
    ['live', 'real\\standard-usd', String],
  ] as const)
    it(`opens a ${kind} account, with its leverage as a ${spell.name}`, async () => {
      const { config } = await client.read('/members/trading/configuration')
      const { platforms, leverage } = config as { platforms: { id: string }[]; leverage: number[] }
      const opened = await client.done(`/members/trading/open-${kind}-account`, {
        initial_deposit: 0,
        main_password: 'Tidal-Gauge-71',
        trading_platform: platforms[0]?.id,
        group,
        leverage: spell(leverage[0]),
      })
      assert.ok((opened.trading_account as { platform_login: string }).platform_login)
    })
})

/** The fields of the card form, which names the account as `destination_id`. */
const card = (account: string) => ({
  amount: '250.00',
  destination: 'trading_account',
  destination_id: account,
  source: 'client',
  country: 'MT',
  city: 'Valletta',
  address_line_1: '1 Harbour Road',
  phone: '+356(21)000000',
  email: 'mara@example.com',
  comment: '',
  origin: null,
  origin_id: null,
  type: 'deposit',
  files: [],
})
const startDeposit = '/customers/trading-accounts/start-deposit'

describe('deposits', () => {
  for (const as of shapes)
    it(`starts a card payment and queries its state (${as})`, async () => {
      const given = { ...card(brokerage.accountId), payment_method: 'zotapay' }
      const sent = { ...given, ...(await client.tokenFor('transaction_deposit')) }
      const started = await client.done(startDeposit, sent, as)
      assert.match(String(started.redirectURL), /^http/)
      assert.equal(started.trading_account, brokerage.accountId)
      assert.equal((await client.done(startDeposit, sent, as)).order, started.order, 'sent twice it is one order')
      await client.done('/customers/trading-accounts/deposit-status', { order: started.order }, as)
    })

  it('keeps the comment of a card payment', async () => {
    const sent = { ...card(brokerage.accountId), payment_method: 'zotapay', comment: ' For the boat ' }
    await client.done(startDeposit, { ...sent, ...(await client.tokenFor('transaction_deposit')) })
    const { data } = await client.query<{ balance_transactions: { comment: string }[] }>(
      '{ balance_transactions(limit: 1) { comment } }',
    )
    assert.deepEqual(data.balance_transactions, [{ comment: 'For the boat' }])
  })

  it('receives the chosen payment method if there are several', async () => {
    const sent = { ...card(brokerage.yuanId), payment_method: 'zotapay' }
    const started = await client.done(startDeposit, { ...sent, ...(await client.tokenFor('transaction_deposit')) })
    assert.deepEqual([typeof started.redirectURL, started.payment_way], ['string', 'alipay'])
  })

  it('receives the coin to pay in', async () => {
    const sent = { ...card(brokerage.accountId), payment_method: 'coinpayments' }
    const started = await client.done(startDeposit, { ...sent, ...(await client.tokenFor('transaction_deposit')) })
    assert.equal(started.crypto_currency, 'BTC')
    const { data, extra } = await client.query<{ pending_deposits: { data: string }[] }>(
      '{ pending_deposits(withCount: true) { _id number description subtotal created_at data trading_account { _id platform_login currency platform_type live_account } } }',
    )
    const pending = JSON.parse(data.pending_deposits[0]?.data ?? '{}')
    assert.equal(pending.crypto_currency, 'BTC')
    assert.match(pending.checkout_url, /^http/)
    assert.equal(extra.countOrders, 1)
  })

  it('posts the form fields of a provider, by name or all of them', async () => {
    const named = { ...card(brokerage.yuanId), payment_method: 'sdsystem' }
    const { url, cmd, des, pid } = await client.done(startDeposit, {
      ...named,
      ...(await client.tokenFor('transaction_deposit')),
    })
    assert.equal(pid, 'SD1001')
    for (const field of [url, cmd, des]) assert.ok(typeof field === 'string' && field !== '')
    const second = { ...card(brokerage.accountId), payment_method: 'safecharge' }
    const { form_data } = await client.done(startDeposit, {
      ...second,
      ...(await client.tokenFor('transaction_deposit')),
    })
    assert.ok((form_data as { fields: object[] }).fields.length > 0)
  })

  for (const as of shapes)
    it(`makes a manual transfer with a separately uploaded receipt (${as})`, async () => {
      const { data } = await client.query<{ system_bank_accounts: Found[] }>('{ system_bank_accounts { _id } }')
      const sent = {
        amount: '100.00',
        comment: 'Transfer of this morning',
        payment_method: 'manual',
        status: 'pending',
        source: 'client',
        type: 'deposit',
        trading_account: brokerage.accountId,
        destination: 'bank_account',
        destination_id: data.system_bank_accounts[0]?._id,
        origin: 'Members Bank, GB33 BUKB 2020 1555 5555 55',
        files: [await client.upload(receipt, 'image')],
        ...(await client.tokenFor('transaction_deposit')),
      }
      const { transaction } = await client.done('/members/deposits/create', sent, as)
      const { _id } = transaction as Found
      await client.done(`/members/deposits/${_id}/delete`, {}, as)
    })

  it('accepts the account field of a card payment in a manual transfer', async () => {
    const { data } = await client.query<{ system_bank_accounts: Found[] }>('{ system_bank_accounts { _id } }')
    const sent = {
      ...card(brokerage.accountId),
      payment_method: 'manual',
      comment: 'Transfer of this evening',
      destination: data.system_bank_accounts[0]?._id,
      origin: 'Members Bank',
      files: [await client.upload(receipt, 'image')],
      ...(await client.tokenFor('transaction_deposit')),
    }
    await client.done('/members/deposits/create', sent)
  })

  it('receives all errors in one response', async () => {
    const token = await client.tokenFor('transaction_deposit')
    const manual = { trading_account: brokerage.accountId, amount: '0', ...token }
    const { status, body } = await client.send('/members/deposits/create', manual)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors ?? {}).sort(), ['amount', 'comment', 'destination_id', 'files', 'origin'])
    const started = await client.send(startDeposit, {
      destination_id: brokerage.accountId,
      amount: '0',
      payment_method: 'zotapay',
      ...token,
    })
    assert.deepEqual(Object.keys(started.body.errors ?? {}).sort(), [
      'address_line_1',
      'amount',
      'city',
      'country',
      'email',
      'phone',
    ])
  })
})

describe('a form on another site', () => {
  const signIn = (headers: Record<string, string>) => {
    const { email, password } = brokerage.signIn
    return fetch(`${origin()}/members/login`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ email, password }),
    })
  }

  it('is refused at sign-in: a request without a bearer token must come from the own origin', async () => {
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: 'http://localhost' },
      { referer: 'https://evil.test/page' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      assert.equal((await signIn(headers)).status, 415, JSON.stringify(headers))
    assert.notEqual((await signIn({ origin: origin(), 'sec-fetch-site': 'same-origin' })).status, 415)
  })

  it('cannot authenticate by the cookies of its browser', async () => {
    const cookie = 'atrium_files=x; token=x'
    const body = new URLSearchParams({ token_key: 'transaction_deposit' })
    const headers = { cookie, origin: 'https://evil.test' }
    assert.equal((await fetch(`${origin()}/members/get-unique-token`, { method: 'POST', headers, body })).status, 401)
  })
})
