import type { Mutation } from './mutation.ts'

const documents = ['server/documents/documents.test.ts']
const checks = ['server/documents/identity-check.test.ts']
const status = ['server/documents/status.test.ts']

/** KYC documents: who can approve an identity, and when that expires. */
export const documentMutations: Mutation[] = [
  {
    name: 'a document can be uploaded for another member',
    file: 'server/documents/add-documents.ts',
    find: 'if (input.customer && input.customer !== member.memberId)',
    replace: 'if (input.customer === member.memberId && input.request === input.customer)',
    tests: documents,
    guards: 'T2',
  },
  {
    name: 'a member can approve their own documents',
    file: 'server/migrations/20261122-1840-documents.sql',
    find: "new.documents_status <> old.documents_status and new.documents_status = 'approved'",
    replace: 'false',
    tests: documents,
    guards: 'T5',
  },
  {
    name: 'an expired document still counts',
    file: 'server/documents/status.ts',
    find: "status === 'approved' && (expires_on === null || expires_on >= today)",
    replace: "status === 'approved' && (expires_on === null || today !== '')",
    tests: status,
    guards: 'T3',
  },
  {
    name: 'document requirements set by staff are ignored',
    file: 'server/documents/status.ts',
    find: 'return [...ofAll, ...ofOne]',
    replace: 'return ofOne.length > 99 ? ofOne : ofAll',
    tests: status,
    guards: 'T3',
  },
  {
    name: 'a webhook of an identity vendor is accepted with any signature',
    file: 'server/identity-vendors/sumsub/translate.ts',
    find: 'return wanted.length === sent.length && timingSafeEqual(wanted, sent)',
    replace: 'return wanted.length === sent.length && timingSafeEqual(wanted, wanted)',
    tests: checks,
    guards: 'T2',
  },
  {
    name: 'an older webhook of an identity vendor overrides a newer one',
    file: 'server/documents/identity-webhook-event.ts',
    find: 'check.reported_at && check.reported_at > at',
    replace: 'check.reported_at && check.reported_at < at',
    tests: checks,
    guards: 'T3',
  },
  {
    name: 'a webhook about another applicant is applied to the check',
    file: 'server/documents/identity-webhook-event.ts',
    find: '(row.applicant_id === null || row.applicant_id === applicantId)',
    replace: "(row.applicant_id === null || applicantId !== '')",
    tests: checks,
    guards: 'T2',
  },
]
