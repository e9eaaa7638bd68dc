import type { Mutation } from './mutation.ts'

const documents = ['documents', 'requirements', 'decision', 'renewal'].map((name) => `server/documents/${name}.test.ts`)
const status = ['server/documents/status.test.ts']

/** KYC documents: who can approve an identity, and when that expires. */
export const documentMutations: Mutation[] = [
  {
    name: 'a member can approve their own documents',
    file: 'server/migrations/20261122-1840-documents.sql',
    find: "new.documents_status <> old.documents_status and new.documents_status = 'approved'",
    replace: 'false',
    tests: documents,
    guards: 'T5',
  },
  {
    name: 'document requirements set by staff are ignored',
    file: 'server/documents/status.ts',
    find: 'return [...ofAll, ...ofOne]',
    replace: 'return ofOne.length > 99 ? ofOne : ofAll',
    tests: status,
    guards: 'T3',
  },
]
