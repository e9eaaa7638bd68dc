import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { holdsRight } from '@atrium/contract/desk-rights.ts'
import { assertState } from '../../../server/foundation/errors.ts'
import { newId } from '../../../server/foundation/ids.ts'
import { pictureOf, rowsNaming } from '../../catalogue/other-tenant.ts'
import type { LiveRoute } from '../routes.ts'
import { send } from './asking.ts'
import { type Actor, idsAgainst, type Matrix, openMatrix, strangers } from './fixture.ts'
import { fieldsFor, isOfPartedUploads, optionsFor } from './requests.ts'

/** Where money, papers and pictures are named: each must be among what is tried. */
const foreignReferences = [
  ...['trading_account', 'destination_id', 'origin_id', 'files'].map((field) => `/members/deposits/create ${field}`),
  ...['trading_account', 'destination_id'].map((field) => `/members/withdrawals/create ${field}`),
  '/customers/trading-accounts/start-deposit trading_account',
  '/customers/trading-accounts/deposit-status order',
  '/customers/trading-accounts/change-transaction-state id',
  '/members/deposits/:id/delete id',
  ...['bank-accounts', 'fund-accounts'].flatMap((kind) => [
    `/members/${kind}/update _id`,
    `/members/${kind}/:id/delete id`,
  ]),
  ...['create', 'update'].map((what) => `/members/fund-accounts/${what} address_qr`),
  ...['customer', 'documents', 'category', 'valid_document', 'request'].map(
    (field) => `/clients/add-documents ${field}`,
  ),
]

/** Where payment providers and identity vendors speak: whoever asks, it tells nothing, and acts on what is signed. */
const callbacks = ['/callbacks/payments/:provider', '/callbacks/identity/:vendor']
/** Where some payment pages send people back to by a form: it reads nothing of it, and sends on to the page. */
const returns = '/deposit-processing/:order'

const isOwnBusiness = (matrix: Matrix, actor: Actor): boolean =>
  actor.system.workspaceId === matrix.victim.workspaceId && actor.kind === 'staff'

function expectedOf(
  matrix: Matrix,
  actor: Actor,
  route: LiveRoute,
): 'unauthenticated' | 'not_permitted' | 'own business' | 'foreign' {
  const { call, url } = route
  if (url === '/graph' || isOfPartedUploads(route)) return actor.kind === 'member' ? 'foreign' : 'unauthenticated'
  if (!call) return isOwnBusiness(matrix, actor) ? 'own business' : 'foreign'
  if (call.access === 'anyone') return 'foreign'
  if (call.access !== actor.kind) return 'unauthenticated'
  if (call.right && !holdsRight(actor.role ?? '', call.right)) return 'not_permitted'
  return isOwnBusiness(matrix, actor) ? 'own business' : 'foreign'
}

/** At each route, in each field: what an id that nobody has is answered, and whether another answers the same. */
async function walk(matrix: Matrix, actor: Actor): Promise<number> {
  let compared = 0
  for (const route of matrix.routes) {
    const expected = expectedOf(matrix, actor, route)
    if (expected === 'own business') continue
    for (const field of fieldsFor(route)) {
      const unknown = newId()
      const answer = await send(matrix, actor, await optionsFor(matrix, actor, route, unknown, field), unknown)
      const where = `${route.name} (${field}) by ${actor.name}`
      assert.deepEqual(answer.canaries, [], `${where}: ${answer.text}`)
      assert.ok(answer.status < 500, `${where}: ${answer.text}`)
      const isProven = expected === 'foreign' && actor.kind !== 'anyone'
      if (isProven) assert.notEqual(answer.code, 'unauthenticated', `${where} was not signed in at all`)
      if (expected !== 'foreign') {
        if (route.method !== 'HEAD') assert.equal(answer.code, expected, `${where}: ${answer.text}`)
      }
      if (field === null) continue
      for (const [what, id] of idsAgainst(matrix, actor)) {
        const foreign = await send(matrix, actor, await optionsFor(matrix, actor, route, id, field), id)
        assert.deepEqual(foreign.canaries, [], `${where} with ${what}: ${foreign.text}`)
        assert.equal(foreign.text, answer.text, `${where} tells ${what} from an unknown id`)
        compared += 1
        // Pages know no ids, and HEAD is the handler of GET.
        if (expected !== 'foreign' || route.method === 'HEAD' || route.url.endsWith('*')) break
      }
    }
  }
  return compared
}

/** The walk over every route and every id by everybody whose business it is not, some kinds of people at a time, side by side. */
export function describeStrangers(kinds: readonly Actor['kind'][]): void {
  describe(`every route, to ${kinds.join(' and ')}`, () => {
    let matrix: Matrix
    let namedAtStart: string[]
    before(async () => {
      matrix = await openMatrix()
      namedAtStart = await rowsNaming(matrix.owner, matrix.victim)
    })
    after(() => matrix.close())

    it('is one that the matrix knows how to reach', () => {
      for (const route of matrix.routes) {
        const { name, call, method, url } = route
        if (call || ['/graph', ...callbacks, returns].includes(url) || isOfPartedUploads(route)) continue
        assert.match(method, /^(GET|HEAD)$/, `${name} changes something and was not opened by the door`)
        assert.match(
          url.replace(/\/(:id|:name|\*)/g, ''),
          /^[^:*]*$/,
          `${name}: say in optionsFor what its places take`,
        )
      }
    })

    // One person a test: all of them in one came near the time that a test has.
    let compared = 0
    for (const name of kinds.flatMap((kind) => strangers[kind])) {
      it(`tells ${name} nothing, and a foreign id from an unknown one to nobody`, async () => {
        const actor = matrix.actors.find((other) => other.name === name)
        assertState(actor, `${name} is on the stage`)
        compared += await walk(matrix, actor)
      })
    }

    it('walked past everybody', () => {
      const there = matrix.actors.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name)
      assert.deepEqual(there.sort(), kinds.flatMap((kind) => strangers[kind]).sort())
      assert.ok(compared > 200, `only ${compared} comparisons`)
    })

    it('takes nothing of the member into anybody else’s things, in whatever field it was sent', async () => {
      const pairs = new Set(matrix.routes.flatMap((route) => fieldsFor(route).map((field) => `${route.url} ${field}`)))
      for (const pair of foreignReferences) assert.ok(pairs.has(pair), `${pair} was not tried`)
      assert.deepEqual(await rowsNaming(matrix.owner, matrix.victim), namedAtStart)
    })

    it('nothing of the member has changed after all of that', async () => {
      assert.deepEqual(await pictureOf(matrix.owner, matrix.victim), matrix.atStart)
    })
  })
}
