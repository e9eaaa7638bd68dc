import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openWalk, type Walk } from './hostile-string-walk.ts'
import { fewWorstTexts, millionChars, worstTexts } from './hostile-strings.ts'
import { textFieldsOf } from './text-fields.ts'

/** A few of the worst texts in every text field of every call; all of them are tried in worst-texts.slow.test.ts. */
let walk: Walk
before(async () => {
  walk = await openWalk()
})
after(() => walk.close())

describe('every text field of every call', () => {
  it('answers the worst texts below 500, and says nothing of the inside', async () => {
    let fields = 0
    const texts = fewWorstTexts.filter((_, at) => at % 2 === 0)
    for (const call of walk.calls) for (const text of texts) fields += (await walk.tryEvery(call, text)) / texts.length
    assert.ok(fields > 150, String(fields))
  })

  it('takes no million characters', async () => {
    for (const call of walk.calls.filter(({ method }) => method === 'POST'))
      assert.equal((await walk.send(call, { comment: millionChars })).status, 413, call.path)
  })

  it('leaves every object as it was', () => {
    for (const name of ['polluted', 'x', '0']) assert.equal(({} as Record<string, unknown>)[name], undefined)
    assert.deepEqual(Object.keys(Object.prototype), [])
  })
})

describe('every text that is kept', () => {
  it('is shown as it was written, or the field is refused', async () => {
    for (const kept of walk.kept) {
      for (const field of kept.fields) {
        let taken = 0
        for (const text of fewWorstTexts) taken += Number(await walk.tryKept(kept, field, text))
        assert.ok(taken >= 4, `${kept.call.path} ${field} took ${taken}`)
      }
    }
  })

  it('is known as such: any other field has a form of its own', () => {
    const known = new Set(walk.kept.flatMap(({ call, fields }) => fields.map((field) => `${call.path} ${field}`)))
    const unknown = walk.calls
      .filter(({ method }) => method === 'POST')
      .flatMap((call) => textFieldsOf(call).map((way) => `${call.path} ${way.join('.')}`))
      .filter((field) => !known.has(field) && !formed.test(field))
    assert.deepEqual(unknown, [], 'is it kept? Then it belongs into testing/kept-texts.ts')
  })
})

/** A passkey's name is that of renaming it. Ids, codes, passwords, addresses of mail and the like: what is not of their form is refused, and none is shown as a text. How a platform or a payment provider is reached is judged by its adapter. What a payment provider is told is kept nowhere. Answers are judged by their form, and what a client says of a request that only its type says is read by nobody. */
const formed =
  /^\S+\/passkeys\/add name$|^\S+\/start-deposit (country|city|address_line_1|phone|comment|origin|crypto_currency|payment_way)$| order$|^\S+\/withdrawals\/create (coin|origin)$|\/form\/submit (form|draft|data\..*)$|\/forms\/drafts\/\S+ (form|answers\..*)$|\/send-customer-request (request\.(request_type|subject|description)|form_submit\..*)$|\/request-types\/\S+ (form|types\.0)$|\/assign (from|to)$| definition\.steps\.0\.fields\.0\.(options\.0\.value|config\.(default\.0|min|max|min_date|max_date|formula|href|html)|input_name)$|\/tickets\/\S+ (customer|response\.attachment|from|to|into)$| ((withdrawal|deposit_second_approval)_.*|(.*\.)?(day|_?id|ids\.0|.*_id|email|support_email|password|password_confirmation|current_password|challenge|code|recovery_code)|passkey\..*|phones\.0|media|customer|documents\.0|category|valid_document|request|upload|token|files\.0|trading_account|trading_platform|main_password|new_password|group|demo_balance|demo_deposit_daily|nonce_token|base_url|manager_login|server_name|ca_pem|secret|groups\.0\.name|downloads\.0\.link|app_uid|settings\.some|currencies\.0\.(currency|amount_min|amount_max|fee_percent|fee_fixed)|model|logo|picture|vendor|accent|default_currency|default_bank_accounts_for_clients\.0|default_permissions\.0|seen\.0|customer_number|addresses\.0\.country|country|currency|preferred_currency|iban_number|swift|address_qr|destination|payment_method|status|source|type|time_zone|q|vendor_settings\.0\.(vendor|accent|support_email|default_currency)|taxonomies\.0\.(entity|entries\.0\.key))$/

it('the list holds as many as the bar asks for', () => assert.ok(worstTexts.length >= 485, String(worstTexts.length)))
