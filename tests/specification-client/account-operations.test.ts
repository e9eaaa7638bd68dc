// spec: AO 7
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addressAnswers } from '../fixtures/forms.ts'
import { type Brokerage, openBrokerage, pdf, qrCode } from './brokerage.ts'
import { type Client, shapes } from './client.ts'

let brokerage: Brokerage
let client: Client
before(async () => {
  brokerage = await openBrokerage()
  client = brokerage.client
})
after(() => brokerage.close())

type Found = { _id: string }
const idIn = (answer: Record<string, unknown>, name: string): string => (answer[name] as Found)._id

describe('trading accounts', () => {
  it('lists them, and reads one as stored and as synchronised with the platform', async () => {
    const { data } = await client.query<{ current_member: { accounts: Found[] } }>(
      '{ current_member { _id name accounts { _id platform_login balance } bank_accounts { _id } } }',
    )
    assert.equal(data.current_member.accounts.length, 3)
    for (const sync of [false, true]) {
      const one = await client.query<{ trading_account: { balance: string } }>(`{
        trading_account(_id: "${brokerage.accountId}", sync: ${sync}) {
          _id id platform_login platform_type leverage type group balance live_account currency status country
          country_alpha2 city created_at enable_change_password enable_read_only archived deleted psps { _id }
          customer { _id name moved } trading_platform { _id type name downloads { _id } } trade_info { floating_pnl }
          balance_transactions { _id } trade_records { _id } } }`)
      if (sync) assert.equal(one.data.trading_account.balance, '1090.00')
    }
  })

  for (const as of shapes)
    it(`changes the password of one (${as})`, async () => {
      const path = `/members/trading-accounts/${brokerage.accountId}/change-password`
      assert.equal((await client.send(path, { new_password: 'short' }, as)).status, 422)
      await client.done(path, { new_password: 'Tidal-Gauge-72' }, as)
    })

  it('reads the trades of one without an earlier call', async () => {
    const { data, extra } = await client.query<{ trade_records: { symbol: string; entry: number }[] }>(`{
      trade_records(trading_account: "${brokerage.accountId}", limit: 15, page: 1, withCount: true) {
        _id order cmd reason profit state state_label symbol tp sl price_tp price_sl volume timestamp open_price
        close_price comment ticket deal status entry } }`)
    assert.deepEqual(data.trade_records.map(({ symbol, entry }) => `${symbol} ${entry}`).sort(), [
      'EURUSD 0',
      'EURUSD 1',
    ])
    assert.equal(extra.countTraderecords, 2)
  })

  it('finds the platform downloads, and files a complaint about one', async () => {
    const { data } = await client.query<{
      current_member: { accounts: { trading_platform: { downloads: (Found & { trading_platform: object })[] } }[] }
    }>(`{ current_member { accounts { _id trading_platform { _id name
      downloads { _id platform name link file { title url } trading_platform { _id name type } } } } } }`)
    const download = data.current_member.accounts[0]?.trading_platform.downloads[0]
    assert.ok(download?.trading_platform)
    const complaint = {
      subject: 'Download',
      description: 'It does not start.',
      type: 'general',
      model_id: download._id,
    }
    await client.done('/tickets/cp-create', { ...complaint, customer: brokerage.member.memberId, priority: 'low' })
  })
})

const bank = {
  currency: 'USD',
  account_holder: 'Mara Member',
  bank_account: '',
  iban_number: 'GB33BUKB20201555555555',
  swift: 'BUKBGB22',
  bank_name: 'Members Bank',
  address_line_1: '1 Harbour Road',
  city: 'London',
  state: 'London',
}
const wallet = {
  type: 'crypto',
  provider: 'Ledger',
  preferred_currency: 'BTC',
  notes: '',
  name: 'Savings wallet',
  address_id: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
}
const walletFields = '_id name type provider preferred_currency notes address_id address_qr { type _id url }'

async function countryOfBank(): Promise<string> {
  const countries = (await client.read('/countries/all')).countries as { _id: string; alpha_2: string }[]
  return countries.find(({ alpha_2 }) => alpha_2 === 'GB')?._id ?? ''
}

describe('bank accounts and other accounts', () => {
  for (const as of shapes)
    it(`creates, changes and deletes a bank account (${as})`, async () => {
      const country = await countryOfBank()
      await client.done('/members/bank-accounts/create', { ...bank, country }, as)
      const { data } = await client.query<{ bank_accounts: Found[] }>(
        '{ bank_accounts { _id currency account_holder bank_account iban_number swift bank_name country { _id name } address_line_1 city state } }',
      )
      const _id = data.bank_accounts[0]?._id
      await client.done('/members/bank-accounts/update', { ...bank, country, city: 'Leeds', _id }, as)
      await client.done(`/members/bank-accounts/${_id}/delete`, { _id }, as)
    })

  for (const as of shapes)
    it(`creates a wallet with a separately uploaded QR code, and removes the code (${as})`, async () => {
      const address_qr = await client.upload(qrCode, 'image')
      await client.done('/members/fund-accounts/create', { ...wallet, address_qr }, as)
      const listed = () =>
        client.query<{ other_accounts: (Found & { address_qr: Found | null })[] }>(
          `{ other_accounts(type: "crypto") { ${walletFields} } }`,
        )
      const saved = (await listed()).data.other_accounts[0]
      assert.equal(saved?.address_qr?._id, address_qr)
      await client.done('/members/fund-accounts/update', { ...wallet, address_qr: null, _id: saved._id }, as)
      assert.equal((await listed()).data.other_accounts[0]?.address_qr, null)
      await client.done(`/members/fund-accounts/${saved._id}/delete`, { _id: saved._id }, as)
    })

  it('is refused for a file that is not a picture', async () => {
    const address_qr = await client.upload(pdf)
    const { status, body } = await client.send('/members/fund-accounts/create', { ...wallet, address_qr })
    assert.equal(status, 422)
    assert.match(body.errors?.address_qr?.[0] ?? '', /^Only the following file types are allowed: /)
  })
})

describe('withdrawals and transactions', () => {
  const withdrawal = {
    amount: '25.00',
    comment: 'For the roof',
    payment_method: 'manual',
    status: 'pending',
    type: 'withdrawal',
    source: 'client',
  }
  const create = '/members/withdrawals/create'
  /** Ends the cooling-off period of new beneficiaries, and signs in again, since withdrawals need a recent sign-in. */
  async function rest() {
    brokerage.context.clock.advance(25 * 3_600_000)
    await client.signIn(brokerage.signIn.email, brokerage.signIn.password)
  }

  for (const as of shapes)
    it(`withdraws to a bank account, and cancels it (${as})`, async () => {
      await client.done('/members/bank-accounts/create', { ...bank, country: await countryOfBank() })
      const { data } = await client.query<{ bank_accounts: Found[] }>('{ bank_accounts { _id } }')
      await rest()
      const sent = {
        ...withdrawal,
        trading_account: brokerage.accountId,
        destination: 'bank_account',
        destination_id: data.bank_accounts[0]?._id,
        ...(await client.tokenFor('transaction_withdrawal')),
      }
      const id = idIn(await client.done(create, sent, as), 'transaction')
      assert.equal(idIn(await client.done(create, sent, as), 'transaction'), id, 'sent twice it is one withdrawal')
      await client.done('/customers/trading-accounts/change-transaction-state', { status: 'rejected', id }, as)
      await client.done(`/members/bank-accounts/${sent.destination_id}/delete`, { _id: sent.destination_id })
    })

  for (const destination of ['crypto_transfer', 'psp:coinpayments'])
    it(`withdraws in a coin without naming it: ${destination}`, async () => {
      const asked = destination === 'crypto_transfer' ? '' : `?destination_id=${destination}`
      await client.read(`/coinpayments/get-enabled-coins${asked}`)
      await client.done('/members/fund-accounts/create', { ...wallet, name: destination, address_qr: null })
      const { data } = await client.query<{ other_accounts: Found[] }>(`{ other_accounts { ${walletFields} } }`)
      const destination_id = data.other_accounts[0]?._id
      await rest()
      const { transaction } = await client.done(create, {
        ...withdrawal,
        trading_account: brokerage.accountId,
        destination,
        destination_id,
        ...(await client.tokenFor('transaction_withdrawal')),
      })
      const { _id: id, coin } = transaction as Found & { coin: string }
      assert.equal(coin, 'BTC')
      await client.done('/customers/trading-accounts/change-transaction-state', { status: 'rejected', id })
      await client.done(`/members/fund-accounts/${destination_id}/delete`, { _id: destination_id })
    })

  it('withdraws from a demo account', async () => {
    await client.done(create, {
      ...withdrawal,
      trading_account: brokerage.demoId,
      origin: null,
      origin_id: null,
      transaction_id: null,
      ...(await client.tokenFor('transaction_withdrawal')),
    })
  })

  it('adds demo funds, with null in each field that is not filled in', async () => {
    await client.done('/members/deposits/create', {
      ...withdrawal,
      type: 'deposit',
      amount: 500,
      trading_account: brokerage.demoId,
      destination: null,
      destination_id: null,
      origin: null,
      origin_id: null,
      transaction_id: null,
      files: null,
      ...(await client.tokenFor('transaction_deposit')),
    })
  })

  it('receives all errors in one response', async () => {
    const token = await client.tokenFor('transaction_withdrawal')
    const sent = { trading_account: brokerage.accountId, amount: '-1', ...token }
    const { status, body } = await client.send(create, sent)
    assert.equal(status, 422)
    assert.deepEqual(Object.keys(body.errors ?? {}).sort(), ['amount', 'comment', 'destination'])
  })

  it('lists and filters them', async () => {
    const { data, extra } = await client.query<{ balance_transactions: Found[] }>(`{
      balance_transactions(type: "withdrawal", customer: "${brokerage.member.memberId}", limit: 15, page: 1, withCount: true) {
        _id ticket comment type amount status source payment_method psp_transaction { psp card_type } transaction_id
        destination destination_id destination_bank_account { bank_name bank_account currency } platform_ticket
        account_id created_at trade_record { _id deal comment trade_record_type login }
        trading_account { _id platform_login currency live_account trading_platform { type } customer { _id name } }
        attachments { media_type image { title description url } file { title description url } created_at } } }`)
    assert.equal(data.balance_transactions.length, 1)
    assert.equal(extra.countBalancetransactions, 1)
    const psps = await client.query<{ available_psps: Found[] }>(
      '{ available_psps { _id name app_uid app { image_url } } }',
    )
    assert.equal(psps.data.available_psps.length, 4)
  })
})

describe('tickets', () => {
  for (const as of shapes)
    it(`files a complaint about the profile, replies, attaches a file, and changes the ticket status (${as})`, async () => {
      const { memberId } = brokerage.member
      const complaint = { subject: `My name, ${as}`, description: 'It is spelled wrong.', type: 'profile' }
      const { data } = await client.done(
        '/tickets/cp-create',
        { ...complaint, model_id: memberId, customer: memberId, priority: 'low' },
        as,
      )
      const { _id } = (data as { ticket: Found }).ticket
      await client.done('/tickets/cp-respond', { _id, response: { type: 'message', content: 'Please look.' } }, as)
      const attachment = await client.upload(pdf)
      await client.done('/tickets/cp-respond', { _id, response: { type: 'attachment', attachment } }, as)
      await client.done('/tickets/cp-update', { _id, priority: 'high' }, as)
      for (const status of ['taken', 'open', 'resolved', 'taken', 'resolved', 'in_progress', 'resolved']) {
        const { ticket } = await client.done('/tickets/cp-update', { _id, status }, as)
        assert.equal((ticket as { status: string }).status, status === 'in_progress' ? 'taken' : status)
      }
    })

  it('lists them under three aliases with a count each', async () => {
    const page = 'page: 1, limit: 10, withCount: true'
    const fields = `_id ticket type priority subject status description customer { _id name profile_pic { url } }
      taken_by { _id name profile_pic { url } } created_at response
      conversation { uid type content attachment { _id url name title type extension size_bytes created_at } created_by { name } created_at }`
    const { extra } = await client.query(`{
      opened: tickets(customer: "${brokerage.member.memberId}", status: "open", ${page}) { ${fields} }
      resolved: tickets(status: "resolved", ${page}) { ${fields} } taken: tickets(status: "taken", ${page}) { ${fields} } }`)
    assert.deepEqual(Object.keys(extra).sort(), ['countOpened', 'countResolved', 'countTaken'])
  })
})

describe('requests and forms', () => {
  it('reads the request types and forms', async () => {
    const { data } = await client.query<{ requests_types: { _id: string; form: Found }[] }>(
      '{ requests_types(show_in_portal: true) { _id name description created_at show_in_portal predefined_type form { _id } } }',
    )
    const [type] = data.requests_types
    await client.query(`{ request_type(_id: "${type?._id}") { _id last_request(customer: "${brokerage.member.memberId}") { _id } }
      form(_id: "${type?.form._id}") { _id name show_on archived is_request show_conditions input_name_conditions
        steps { _id name fields { name description type options scores row column config input_name } } vendors departments category } }`)
  })

  for (const ticked of ['true', 'on', '1'])
    for (const as of shapes)
      it(`submits a form as flat fields, its consent as "${ticked}" (${as})`, async () => {
        const fields = { ...addressAnswers, street: `Quay ${ticked} ${as}`, is_true: ticked }
        await client.done('/form/submit', { form: brokerage.formId, ...fields }, as)
      })

  for (const name of ['proofs', 'proofs[]'])
    it(`submits a form as flat fields with a file in ${name}`, async () => {
      const form = new FormData()
      for (const [field, value] of Object.entries({ ...addressAnswers, street: `Quay of ${name}` }))
        form.append(field, String(value))
      form.append('form', brokerage.formId)
      form.append(name, new File([new Uint8Array(pdf.content)], pdf.name, { type: pdf.type }))
      const { status, body } = await client.ask('/form/submit', { method: 'POST', body: form })
      assert.equal(status, 200, JSON.stringify(body))
    })

  const requestOf = (street: string) => ({
    request: { request_type: brokerage.typeId, subject: 'Change of address', description: 'I have moved' },
    form_submit: { form: brokerage.formId, data: { ...addressAnswers, street, is_true: 'true' } },
    customer: brokerage.member.memberId,
  })

  for (const as of shapes)
    it(`sends a request, and cancels it (${as})`, async () => {
      const _id = idIn(await client.done('/requests/send-customer-request', requestOf(`Pier ${as}`), as), 'request')
      const cancel = { _id, new_status: 'canceled' }
      assert.equal((await client.send('/requests/cp-change-status', cancel, as)).status, 422)
      await client.done('/requests/cp-change-status', { ...cancel, comment: 'I stay.' }, as)
    })

  it('sends a request with its answers as JSON under the field names of a form', async () => {
    const { request, form_submit, customer } = requestOf('Pier of JSON')
    const named = { request, 'form_submit[form]': form_submit.form, 'form_submit[data]': form_submit.data, customer }
    await client.done('/requests/send-customer-request', named)
  })

  for (const name of ['form_submit[data][proofs]', 'form_submit[data][proofs][]'])
    it(`sends a request with a file in ${name}`, async () => {
      const { request, form_submit, customer } = requestOf(`Pier of ${name}`)
      const form = new FormData()
      for (const [field, value] of Object.entries(request)) form.append(`request[${field}]`, value)
      form.append('form_submit[form]', form_submit.form)
      for (const [field, value] of Object.entries(form_submit.data)) form.append(`form_submit[data][${field}]`, value)
      form.append('customer', customer)
      form.append(name, new File([new Uint8Array(pdf.content)], pdf.name, { type: pdf.type }))
      const { status, body } = await client.ask('/requests/send-customer-request', { method: 'POST', body: form })
      assert.equal(status, 200, JSON.stringify(body))
    })

  it('lists the sent requests', async () => {
    const { extra } =
      await client.query(`{ requests(customer: "${brokerage.member.memberId}", scope: "crm", status: "canceled",
      limit: 25, page: 1, withCount: true) { _id subject description number priority status assigned_user { name }
      customer { _id } created_by { name } entity created_at comment request_type { _id } form_data } }`)
    assert.equal(extra.countRequests, 3)
  })

  it('reports activity', async () => {
    await client.done('/members/activity', { mouse: true })
  })
})

describe('filters that are not filled in', () => {
  for (const [list, filters] of [
    [
      'balance_transactions',
      'ticket: "", account_number: "", type: "", status: "", destination: "", trading_account: ""',
    ],
    ['tickets', 'q: "", status: ""'],
    ['requests', 'q: "", status: ""'],
  ])
    it(`leave out no row of ${list}`, async () => {
      const { data, extra } = await client.query<{ every: Found[]; found: Found[] }>(
        `{ every: ${list}(withCount: true) { _id } found: ${list}(${filters}, withCount: true) { _id } }`,
      )
      assert.ok(data.every.length > 0)
      assert.deepEqual([data.found, extra.countFound], [data.every, extra.countEvery])
    })

  it('leave out no trade and no account', async () => {
    await client.done('/members/fund-accounts/create', { ...wallet, name: 'Unfiltered wallet' })
    const { data } = await client.query<{ other_accounts: Found[]; trade_records: Found[] }>(`{
      other_accounts(type: "") { _id }
      trade_records(trading_account: "${brokerage.accountId}", symbol: "", side: "", entry: "") { _id } }`)
    assert.deepEqual([data.other_accounts.length, data.trade_records.length], [1, 2])
  })
})
