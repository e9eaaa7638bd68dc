/**
 * A plausible programming error, with the tests that must fail on it. `find` must occur exactly once in its file, so that
 * an outdated mutation fails instead of changing nothing.
 */
export type Mutation = {
  name: string
  file: string
  find: string
  replace: string
  tests: string[]
  /** The reliability and security requirements that the mutation covers. */
  guards: string
}
