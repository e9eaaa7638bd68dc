import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../../server/foundation/ids.ts'
import { schema } from '../../../server/graph/schema.ts'
import { documentFor, fieldsOf } from '../../fixtures/graphql-documents.ts'
import { openTestSession } from '../../fixtures/workspaces.ts'
import { ask, send } from './asking.ts'
import { type Matrix, openMatrix, ownOf } from './fixture.ts'
import { fieldsFor, optionsFor } from './requests.ts'

let matrix: Matrix

before(async () => {
  matrix = await openMatrix()
})
after(() => matrix.close())

/** Without this, a matrix in which nobody reaches anything would be green. */
describe('whoever the rows belong to', () => {
  it('shows the member what is theirs, so that seeing none means something', async () => {
    const seen = new Set<string>()
    for (const step of fieldsOf(schema)) {
      const ids = [matrix.victim.ownIds.get('trading_accounts.account_id') ?? '', '']
      for (const query of new Set(ids.map((id) => documentFor(schema, step, () => id)))) {
        for (const canary of (await ask(matrix, matrix.theMember, query, '-')).canaries)
          seen.add(canary.replace(/-[0-9a-f]{6}$/, ''))
      }
    }
    for (const word of ['members-first_name', 'bank_accounts-bank_name', 'trading_accounts-city'])
      assert.ok(seen.has(`canary-${word}`), `${word} is not among ${[...seen].join(', ')}`)
  })

  /** Staff name the member and one of the member's sessions. */
  async function memberToHelp(): Promise<Record<string, string>> {
    const { sessionId } = await openTestSession(matrix.theStaff.system, { kind: 'member', id: matrix.victim.memberId })
    const helped = await matrix.owner.query<{ actor: string }>(
      `select actor_id as actor from audit_log where actor_kind = 'staff' and member_id = $1 limit 1`,
      [matrix.victim.memberId],
    )
    const actor = String(helped.rows[0]?.actor)
    const papers = await matrix.owner.query<{ category: string; valid_document: string }>(
      `select file_category_id as category, valid_document_id as valid_document from documents
      where member_id = $1 and valid_document_id is not null limit 1`,
      [matrix.victim.memberId],
    )
    const asked = await matrix.owner.query<{ type: string }>(
      'select request_type_id as type from requests where member_id = $1 limit 1',
      [matrix.victim.memberId],
    )
    const type = String(asked.rows[0]?.type)
    const path = '/desk/api/members/:id/documents/request'
    return {
      ...{ id: matrix.victim.memberId, session_id: sessionId, member: matrix.victim.memberId, actor },
      ...{ [`${path} category`]: String(papers.rows[0]?.category) },
      ...{ '/desk/api/requests type': type, '/desk/api/requests/table type': type },
      ...{ [`${path} valid_document`]: String(papers.rows[0]?.valid_document) },
    }
  }

  /** Ids that a call takes for its shape and never looks at. */
  const unread = new Map([
    [
      'POST /customers/trading-accounts/start-deposit destination_id',
      'read for shape: the provider is the destination',
    ],
    ['POST /customers/trading-accounts/start-deposit origin_id', 'the same'],
    ['POST /members/change-password _id', 'the session says whose password it is'],
    ['POST /users/change-password _id', 'the same by its other address'],
    ...['/members', '/desk/api'].flatMap((at): [string, string][] => [
      [`POST ${at}/security/prove passkey.id`, 'the name of a key, looked for among those of whoever asks'],
      [`POST ${at}/security/passkeys/add passkey.id`, 'the name of a key that is still to be known'],
    ]),
    ['POST /members/withdrawals/create origin_id', 'a demo form sends it; a withdrawal has none'],
    ['POST /members/withdrawals/create transaction_id', 'the same'],
    ['GET /coinpayments/get-enabled-coins destination_id', 'the workspace lists the coins, whatever they go to'],
    ['POST /desk/api/security/passkeys/rename _id', 'these staff have no passkey; a member’s is none of theirs'],
    ['POST /desk/api/security/passkeys/remove _id', 'the same'],
    ['POST /desk/api/account/sessions/end _id', 'these staff have the one session that asks'],
    [
      'POST /desk/api/platforms/:id/downloads downloads._id',
      'of the platform of the path; downloads/downloads.test.ts',
    ],
    ...['from', 'to'].map((field): [string, string] => [
      `POST /desk/api/tickets/:id/assign ${field}`,
      'looked at once the ticket of the path is found; tickets/desk-tickets.test.ts',
    ]),
    ['POST /desk/api/tickets/:id/merge into', 'the same'],
    ['POST /desk/api/tickets/:id/attach id', 'the file is looked at first; tickets/desk-attachment.test.ts'],
    [
      'GET /file-categories/cp-search kyc_category_id',
      'whoever is in no set of their own finds the general one alone; documents/documents.test.ts',
    ],
    ['POST /desk/api/file-categories/add valid_documents._id', 'what is added is new with all that belongs to it'],
    [
      'POST /desk/api/file-categories/:id/change valid_documents._id',
      'looked at once the category of the path is found; documents/documents.test.ts',
    ],
    ...['kyc_category_id', 'ids'].map((field): [string, string] => [
      `POST /desk/api/file-categories/order ${field}`,
      'all of a set are put in order or none of them; the same',
    ]),
    ...['POST /form/submit draft', 'POST /requests/send-customer-request form_submit.draft'].map(
      (field): [string, string] => [field, 'looked for among what the same member has sent; forms/drafts.test.ts'],
    ),
    ['POST /forms/drafts/discard form', 'one that is not there is gone already; forms/members-forms.test.ts'],
    ...['add', ':id/publish'].map((call): [string, string] => [
      `POST /desk/api/forms/${call} definition.steps._id`,
      'the name of a step, in its own form',
    ]),
    ...['from', 'to'].map((field): [string, string] => [
      `POST /desk/api/requests/:id/assign ${field}`,
      'looked at once the request of the path is found; requests/desk-requests.test.ts',
    ]),
    ['POST /desk/api/request-types/:id/change form', 'looked at once the type of the path is found; the same'],
    ['POST /desk/api/request-types/order types', 'all are put in order or none of them; the same'],
    ['POST /desk/api/platforms/:id/downloads downloads.file_id', 'looked for once the platform is found; the same'],
  ])

  it('each id is one that its owner gets further with, so that being refused means something', async () => {
    const unreached: string[] = []
    for (const route of matrix.routes.filter(
      ({ call, method }) => call && call.access !== 'anyone' && method !== 'HEAD',
    )) {
      const actor = route.call?.access === 'staff' ? matrix.theStaff : matrix.theMember
      for (const field of fieldsFor(route)) {
        if (field === null || unread.has(`${route.name} ${field}`)) continue
        // An earlier try may have used something up.
        await matrix.owner.query('update company_bank_accounts set removed_at = null')
        const person = String(actor.personId)
        const { sessionId } = await openTestSession(actor.system, { kind: actor.kind as 'member', id: person })
        const own = actor.kind === 'member' ? await ownOf(matrix.owner, actor.system, person) : await memberToHelp()
        actor.own = { ...own, session: sessionId }
        const unknown = newId()
        const refused = await send(matrix, actor, await optionsFor(matrix, actor, route, unknown, field), unknown)
        const all = [...matrix.victim.ownIds, ...matrix.victim.sharedIds].map(([, id]) => id)
        let reached = false
        for (const id of [...all, ...Object.values(actor.own)]) {
          const answer = await send(matrix, actor, await optionsFor(matrix, actor, route, id, field), id)
          reached ||= answer.text !== refused.text
          if (reached) break
        }
        if (!reached) unreached.push(`${route.name}, ${field}: ${refused.text.replace(/\{.*?\} /, '')}`)
      }
    }
    // Give the other fields right values (`known` in testing/matrix/requests.ts), or fill the table (testing/every-table.ts).
    assert.deepEqual(unreached, [], 'No id in these fields makes a difference even for its owner')
  })
})
