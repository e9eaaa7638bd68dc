import assert from 'node:assert/strict'
import { it } from 'node:test'
import { contractCalls } from './contract-calls.ts'
import { fewHostileStrings, hostileStrings } from './hostile-strings.ts'
import { drawn, isOfMoney } from './sample.ts'
import { walkStoredTexts } from './stored-text-walk.ts'
import { textFieldsOf } from './text-fields.ts'

const stored = walkStoredTexts(({ call }, field) =>
  drawn.pick(`stored ${call.path} ${field}`, fewHostileStrings, isOfMoney(call) ? 6 : 2),
)

/**
 * Matches the fields that are not free text stored and shown as such: fields with a fixed format (ids, codes, passwords, email
 * addresses and the like), connection settings of platforms and payment providers, which their adapters validate, texts sent
 * only to a payment provider, form answers, which the form validates, and request fields that are ignored because the request
 * type decides them. A passkey's name is tested by its rename call.
 */
const formed =
  /^\S+\/passkeys\/add name$|^\S+\/list-views (list|hidden\.0|saved\.0\.search\.some)$|^\S+\/start-deposit (country|city|address_line_1|phone|origin|crypto_currency|payment_way)$| order$|^\S+\/withdrawals\/create (coin|origin)$|\/members\/invite phone$|\/:id\/referrer (seen|referrer)$|\/form\/submit (form|draft|data\..*)$|\/forms\/drafts\/\S+ (form|answers\..*)$|\/send-customer-request (request\.(request_type|subject|description)|form_submit\..*)$|\/request-types\/\S+ (form|types\.0)$|\/assign (from|to)$|\/outcome operation$| definition\.steps\.0\.fields\.0\.(options\.0\.value|config\.(default\.0|min|max|min_date|max_date|formula|href|html)|input_name)$|\/tickets\/\S+ (customer|response\.attachment|from|to|into)$| ((withdrawal|deposit_second_approval|deposit_needs_identity)_.*|(.*\.)?(day|_?id|ids\.0|.*_id|email|support_email|password|password_confirmation|current_password|challenge|code|recovery_code)|passkey\..*|phones\.0|media|customer|documents\.0|category|valid_document|request|upload|token|files\.0|trading_account|trading_platform|main_password|new_password|group|demo_balance|demo_deposit_daily|nonce_token|idempotency_key|routing_number|base_url|manager_login|server_name|ca_pem|secret|groups\.0\.name|downloads\.0\.link|app_uid|settings\.some|currencies\.0\.(currency|amount_min|amount_max|fee_percent|fee_fixed)|model|logo|picture|vendor|accent|default_currency|default_bank_accounts_for_clients\.0|default_permissions\.0|seen(\.0|_reference)?|customer_number|addresses\.0\.country|country|currency|preferred_currency|iban_number|bank_account|sort_code|swift|address_qr|destination|payment_method|status|source|type|time_zone|q|vendor_settings\.0\.(vendor|accent|support_email|default_currency)|taxonomies\.0\.(entity|entries\.0\.key))$/

it('every other text field has a fixed format', async () => {
  const known = new Set(stored().flatMap(({ call, fields }) => fields.map((field) => `${call.path} ${field}`)))
  const unknown = (await contractCalls())
    .filter(({ method }) => method === 'POST')
    .flatMap((call) => textFieldsOf(call).map((way) => `${call.path} ${way.join('.')}`))
    .filter((field) => !known.has(field) && !formed.test(field))
  assert.deepEqual(unknown, [], 'if they are stored, add them to tests/every-call/stored-texts/')
})

it('the list holds at least the required number', () =>
  assert.ok(hostileStrings.length >= 485, String(hostileStrings.length)))
