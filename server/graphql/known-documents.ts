import type { DocumentNode } from 'graphql'
import { keepRecent } from '../foundation/database/recent.ts'
import type { LimitName } from './limits.ts'

export type KnownDocument = {
  document: DocumentNode
  /** What is measured with variables that say so much, measured at most once; which limit it breaks, if any. */
  measured(variablesText: string, measure: () => LimitName | null): LimitName | null
}

export type KnownDocuments = {
  find(query: string): KnownDocument | undefined
  keep(query: string, document: DocumentNode): void
}

/** Longer ones, and more of them, are measured each time. */
const measuredMax = { texts: 50, chars: 500 }

/**
 * Documents that were parsed and found valid, by their text, the longest unused forgotten first. Members' browsers send
 * the same dozen over and over, and checking one costs more than running it. Limits depend on the variables too.
 */
export function rememberDocuments(documentsMax = 300): KnownDocuments {
  const known = keepRecent<KnownDocument>(documentsMax)
  return {
    find: (query) => known.find(query),
    keep: (query, document) => known.keep(query, knownDocument(document)),
  }
}

function knownDocument(document: DocumentNode): KnownDocument {
  const broken = new Map<string, LimitName | null>()
  return {
    document,
    measured(variablesText, measure) {
      const earlier = broken.get(variablesText)
      if (earlier !== undefined) return earlier
      const found = measure()
      if (broken.size < measuredMax.texts && variablesText.length <= measuredMax.chars) broken.set(variablesText, found)
      return found
    },
  }
}
