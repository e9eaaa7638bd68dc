/**
 * A page may show a state that a colleague has changed meanwhile. Each call of the desk that decides on a state names the
 * one that its page showed, or is listed here with the reason why a stale page can do no harm.
 */

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { z } from 'zod'
import { contractCalls } from './contract-calls.ts'

/** The fields by which a call says what its page showed. */
const seenFields = ['seen', 'seen_state', 'version', 'revision', 'based_on', 'from']

const withoutSeen: Record<string, string[]> = {
  'adds something and changes nothing': [
    'canned-replies/add',
    'company-bank-accounts/add',
    'file-categories/add',
    'forms/add',
    'kyc-categories/add',
    'members/:id/documents/request',
    'members/invite',
    'platforms/add',
    'platforms/files',
    'providers/add',
    'request-types/add',
    'requests/:id/comment',
    'staff/invite',
    'terms',
    'tickets/:id/attach',
    'tickets/:id/note',
  ],
  'names the one of two states that it wants, so a stale page asks for what is': [
    'canned-replies/:id/archive',
    'company-bank-accounts/:id/archive',
    'document-requests/:id/withdraw',
    'file-categories/:id/archive',
    'forms/:id/archive',
    'mails/:id/leave',
    'members/:id/lock',
    'members/:id/papers-elsewhere',
    'members/:id/revoke-invitation',
    'members/:id/type',
    'reconciliation/differences/:id/reopen',
    'request-types/:id/archive',
    'staff/:id/lock',
    'staff/:id/unlock',
    'terms/:id/retire',
  ],
  'is a legal move from one state only, and moves on what the program reads itself': [
    'account-differences/:id/decide',
    'accounts/:id/owner',
    'deposits/:id/look-again',
    'documents/:id/release-file',
    'files/:id/release',
    'openings/:id/end',
    'openings/:id/look-again',
    'payment-notifications/:id/replay',
    'reconciliation/days/:day/compare',
    'withdrawals/:id/look-again',
    'withdrawals/:id/paid',
    'withdrawals/:id/pay-by-provider',
    'withdrawals/:id/payout-failed',
    'withdrawals/:id/returned',
  ],
  'sends, ends, reads or removes, whatever the state is': [
    'activity',
    'logout',
    'mails/:id/try-again',
    'mails/try-all-again',
    'members/:id/erase',
    'members/:id/export',
    'members/:id/resend-invitation',
    'members/:id/reset-link',
    'members/:id/reset-second-factor',
    'members/:id/sessions/end',
    'members/:id/sessions/end-all',
    'platforms/:id/try',
    'providers/:id/test',
    'staff/:id/end-sessions',
    'staff/:id/resend-invitation',
    'staff/:id/reset-second-factor',
    'tickets/:id/merge',
    'tickets/:id/read',
  ],
  'says in full what happened, and counts once a second person says the same': [
    'deposits/:id/outcome',
    'withdrawals/:id/outcome',
  ],
  'is about the caller alone': [
    'account/list-views',
    'account/name',
    'account/password',
    'account/picture',
    'account/sessions/end',
    'account/sessions/end-others',
    'security/passkeys/add',
    'security/passkeys/remove',
    'security/passkeys/rename',
    'security/passkeys/start',
    'security/prove',
    'security/prove/start',
    'security/recovery-codes/renew',
    'security/totp/confirm',
    'security/totp/remove',
    'security/totp/start',
  ],
}

type Shape = { properties?: Record<string, unknown>; anyOf?: Shape[]; oneOf?: Shape[]; allOf?: Shape[] }

const fieldsOf = ({ properties, anyOf, oneOf, allOf }: Shape): string[] => [
  ...Object.keys(properties ?? {}),
  ...[anyOf, oneOf, allOf].flatMap((parts) => (parts ?? []).flatMap(fieldsOf)),
]

it('every call of the desk names the state that its page showed, or needs none', async () => {
  const calls = (await contractCalls()).filter(({ method, access }) => method === 'POST' && access === 'staff')
  const blind = calls.filter(({ input }) => {
    const fields = fieldsOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Shape)
    return !fields.some((field) => seenFields.includes(field))
  })
  assert.deepEqual(
    blind.map(({ path }) => path.replace('/desk/api/', '')).sort(),
    Object.values(withoutSeen).flat().sort(),
  )
})
