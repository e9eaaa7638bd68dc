import type { DeskDocument } from '@atrium/contract/documents/desk-calls.ts'
import { mayMove } from '@atrium/contract/documents/states.ts'
import type { Verdict } from './use-documents.ts'

type Decided = { status: DeskDocument['status']; file: Pick<DeskDocument['file'], 'is_unscannable'> }

/** Whether this decision exists for the document: the buttons and the keys offer the same. */
export const isOffered = (what: Verdict['do'], { status, file }: Decided): boolean =>
  what === 'release' ? file.is_unscannable : mayMove(what, status)

const keys = [
  { keys: 'a', label: 'Verify, with confirmation', what: 'verify' },
  { keys: 'r', label: 'Reject, with a reason', what: 'reject' },
] as const

/** The keys of a document. They are listed for every document, and act only where the decision exists. */
export const decisionKeys = (document: Decided | undefined, ask: ((what: Verdict['do']) => void) | null) =>
  keys.map(({ what, ...key }) => ({
    ...key,
    act() {
      if (document && isOffered(what, document)) ask?.(what)
    },
  }))
