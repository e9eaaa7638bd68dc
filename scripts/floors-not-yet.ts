import type { Findings } from './floors.ts'

/** What does not stand on the floors yet. Entries only leave. */
export const notYet: Findings = {
  circlesOfFiles: [],
  circlesOfDomains: [],
  outsideOfProduct: [],
  upward: [],
  largeFolders: [
    'bench',
    'contract',
    'journeys',
    'scripts',
    'server/foundation',
    'server/sessions',
    'tests/fixtures',
    'web/features/desk-forms',
    'web/features/funding',
    'web/portal',
    'web/ui',
  ],
}
