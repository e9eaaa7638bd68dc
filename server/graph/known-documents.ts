import type { DocumentNode } from 'graphql'

export type KnownDocuments = {
  find(query: string): DocumentNode | undefined
  keep(query: string, document: DocumentNode): void
}

/**
 * Documents that were parsed and found valid, by their text, the longest unused forgotten first. Members' browsers send
 * the same dozen over and over, and checking one costs more than running it. Limits are measured anew each time, since
 * they depend on the variables.
 */
export function rememberDocuments(documentsMax = 300): KnownDocuments {
  const known = new Map<string, DocumentNode>()
  return {
    find(query) {
      const document = known.get(query)
      if (document) {
        known.delete(query)
        known.set(query, document)
      }
      return document
    },
    keep(query, document) {
      known.set(query, document)
      const oldest = known.keys().next()
      if (known.size > documentsMax && !oldest.done) known.delete(oldest.value)
    },
  }
}
