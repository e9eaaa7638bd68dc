/**
 * Faults that somebody could write on a tired evening, each with the tests that must notice. `find` stands exactly once in
 * its file, so that a fault whose place has moved on fails loudly instead of planting nothing.
 */
export type PlantedFault = {
  name: string
  file: string
  find: string
  replace: string
  tests: string[]
  /** The checks of reliability and security that the fault belongs to. */
  guards: string
}
