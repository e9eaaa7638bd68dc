import type { Findings } from './floors.ts'

/** What does not stand on the floors yet. Entries only leave. */
export const notYet: Findings = {
  circlesOfFiles: [],
  circlesOfDomains: [],
  outsideOfProduct: [],
  upward: [
    'server/documents/queries.ts -> server/graph/paging.ts',
    'server/funding/queries.ts -> server/graph/paging.ts',
    'server/payments/pending-deposits.ts -> server/graph/paging.ts',
    'server/requests/queries.ts -> server/graph/paging.ts',
    'server/tickets/queries.ts -> server/graph/paging.ts',
    'server/trades/desk-queries.ts -> server/graph/paging.ts',
    'server/trades/queries.ts -> server/graph/paging.ts',
  ],
  largeFolders: [
    'bench',
    'contract',
    'journeys',
    'scripts',
    'server/files',
    'server/foundation',
    'server/members',
    'server/sessions',
    'tests/fixtures',
    'web/features/desk-forms',
    'web/features/funding',
    'web/portal',
    'web/ui',
  ],
}
