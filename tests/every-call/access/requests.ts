import type { InjectOptions } from 'fastify'
import type { System } from '../../../server/foundation/actor.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { makeUniqueToken } from '../../../server/sessions/unique-token.ts'
import { addressAnswers, addressForm } from '../../fixtures/forms.ts'
import { makePng } from '../../fixtures/sample-files.ts'
import { fillInput, idFieldsOf } from '../../fixtures/valid-input.ts'
import { memberActor } from '../../fixtures/workspaces.ts'
import type { LiveRoute } from '../routes.ts'
import type { Actor, Matrix } from './fixture.ts'

/** A change says which version it was made on; any other would be refused for that alone. */
async function versionOfAccounts({ owner }: Matrix, { workspaceId }: System): Promise<number> {
  const found = await owner.query<{ version: number | null }>(
    `select (versions->'accounts'->>'version')::int as version from workspaces where workspace_id = $1`,
    [workspaceId],
  )
  return found.rows[0]?.version ?? 0
}

/** Values that forms and requests take beside ids. */
function ofForms(path: string): Record<string, unknown> {
  if (!/^\/(form|forms|requests|desk\/api\/(forms|request-types|requests|submissions))(\/|$)/.test(path)) return {}
  return {
    ...{ data: addressAnswers, answers: { street: 'Quay 3' }, definition: addressForm, version: 1, based_on: 1 },
    ...{ step: 0, revision: null, new_status: 'canceled', comment: 'Not needed', predefined_type: null },
    ...{ show_on: null, category: null, vendors: [], departments: [], q: undefined, mine: undefined },
    status: path.endsWith('-customer-request') ? undefined : 'not-assigned',
  }
}

function purposeOf(path: string): string {
  if (path.startsWith('/form/') || path.startsWith('/requests/')) return 'form_submit'
  if (path.startsWith('/members/trading/open-')) return 'account_opening'
  return path.startsWith('/members/withdrawals/') ? 'transaction_withdrawal' : 'transaction_deposit'
}

/** Uploads in parts, which speak a protocol instead of a call's JSON; the call whose rules they keep is that of a whole file. */
export const isOfPartedUploads = ({ url }: LiveRoute): boolean => url.startsWith('/media/uploads')

/** A new upload, or the first part of the one that is named. */
function partedUpload(method: string, url: string): InjectOptions {
  const metadata = `filename ${Buffer.from('a.csv').toString('base64')}`
  const start = { 'upload-length': '3', 'upload-metadata': metadata }
  const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  return {
    method: method as 'POST',
    url,
    headers: { 'tus-resumable': '1.0.0', ...(method === 'POST' && start), ...(method === 'PATCH' && part) },
    ...(method === 'PATCH' && { payload: Buffer.from('a,b') }),
  }
}

/** What stands in a path and is nobody's id. */
const fixedPlaces: Record<string, string> = { name: 'receipt.pdf', day: '2026-11-20', version: '1' }
/** Of a currency; and a place in the list that nobody else has, so that something changes. */
const terms = { amount_min: '10', amount_max: '5000', fee_percent: '0', fee_fixed: '0', enabled: false, position: 7 }

/** The route's request with the id in this field and right values in the others; without a field, as it is. */
export async function optionsFor(
  matrix: Matrix,
  actor: Actor,
  route: LiveRoute,
  id: string,
  field: string | null,
): Promise<InjectOptions> {
  const { call, method } = route
  const placed = (name: string): string => (!call || name === field ? id : (actor.own[name] ?? id))
  const places = (url: string): string => url.replace(/:(\w+)/g, (_, name) => fixedPlaces[name] ?? placed(name))
  const url = places(route.url).replace('*', id)
  if (isOfPartedUploads(route)) return partedUpload(method, url)
  if (!call) return { method: method as 'GET', url }
  const nonce_token =
    actor.kind === 'member'
      ? await makeUniqueToken(await memberActor(actor.system, String(actor.personId)), purposeOf(call.path))
      : 'x'
  // Filters and pages that would show nothing to anybody are left out.
  const open = {
    from: undefined,
    to: undefined,
    after: undefined,
    before: undefined,
    action: undefined,
    subject: undefined,
  }
  const known = {
    amount: '10.00',
    nonce_token,
    payment_method: 'manual',
    initial_deposit: 0,
    main_password: 'Tidal-Gauge-71',
    new_password: 'Tidal#Gauge71',
    group: 'real\\standard',
    ...(call?.path.startsWith('/members/trading/open-') && { leverage: 100 }),
    expires_on: '2030-01-31',
    demo_balance: '10000',
    ...(call?.path.startsWith('/desk/api/openings') && { q: undefined }),
    demo_deposit_daily: '100000',
    month: '2026-11',
    day: '2026-11-20',
    ...(call?.path.startsWith('/desk/api/reconciliation') && { currency: undefined, method: undefined }),
    country: 'MT',
    currency: 'EUR',
    preferred_currency: 'EUR',
    iban_number: 'MT84MALT011000012345MTLCAST001S',
    swift: 'VALLMTMT',
    ...(call?.path.endsWith('/start-deposit') && { phone: '+35621224455', email: 'mara@example.com' }),
    destination: 'bank_account',
    ...(call?.path.endsWith('change-transaction-state') && { status: 'cancelled' }),
    default_currency: 'USD',
    ...(call?.path === '/tickets/cp-respond' && { type: 'attachment' }),
    ...(['/desk/api/tickets', '/desk/api/tickets/table'].includes(String(call?.path)) && {
      q: undefined,
      mine: undefined,
      priority: undefined,
      state: 'taken',
    }),
    ...ofForms(call.path),
    ...(call?.path === '/desk/api/providers/:id/offer' && terms),
    ...(call?.path.startsWith('/desk/api/mails') && { q: undefined, state: undefined, until: undefined }),
    ...(call?.path === '/desk/api/providers/:id/logo' && { logo: makePng().toString('base64') }),
    ...(call?.path === '/desk/api/account/picture' && { picture: makePng().toString('base64') }),
    ...(call?.path === '/desk/api/payment-notifications' && { provider: undefined, kind: undefined, q: undefined }),
    ...(call?.path === '/desk/api/platforms/:id/downloads' && { link: null }),
    ...(call?.path === '/desk/api/workspace/change' && { version: await versionOfAccounts(matrix, actor.system) }),
    ...open,
    ...(call?.path === '/desk/api/requests/:id/status' && { from: 'not-assigned', to: 'open' }),
    ...(call?.path === '/tickets/cp-create' && { subject: 'Where is it?' }),
  }
  const idAt = (path: string): string | undefined =>
    path === field ? id : (actor.own[`${call.path} ${path}`] ?? actor.own[path] ?? newId())
  const input = fillInput(call, { idAt, known })
  if (method === 'POST') return { method, url, payload: input }
  const query = Object.entries(input).flatMap(([key, value]) => (typeof value === 'object' ? [] : [`${key}=${value}`]))
  return { method: method as 'GET', url: `${url}?${query.join('&')}` }
}

/** Null stands for a request as it is, without anybody's id in it. */
export const fieldsFor = ({ call, url }: LiveRoute): (string | null)[] => {
  const fields = call ? idFieldsOf(call) : /[:*]/.test(url) ? [url] : []
  return fields.length > 0 ? fields : [null]
}
