/**
 * A change that somebody could make on a tired evening, with the tests that must notice. `find` stands exactly once in its
 * file, so that a mutation whose place has moved on fails loudly instead of changing nothing.
 */
export type Mutation = {
  name: string
  file: string
  find: string
  replace: string
  tests: string[]
  /** The checks of reliability and security that the mutation belongs to. */
  guards: string
}
