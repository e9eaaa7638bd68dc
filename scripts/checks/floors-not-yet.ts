import type { Findings } from './floors.ts'

/** What does not stand on the floors yet. Entries only leave. */
export const notYet: Findings = {
  circlesOfFiles: [],
  circlesOfDomains: [],
  outsideOfProduct: [],
  upward: [],
  largeFolders: [],
}
