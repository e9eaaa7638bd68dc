import type { DeskTerms, TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useSaveTerms } from './use-terms.ts'

export const blankTerms: TermsText = {
  name: '',
  tickbox_text: '',
  template: '',
  blocked_portal_sections: ['all'],
}

const isSame = (one: TermsText, other: TermsText) => JSON.stringify(one) === JSON.stringify(other)

/** The form of one draft: saved and current text, and saving. */
export function useTermsForm(terms: DeskTerms | null) {
  const [start, setStart] = useState({ text: terms?.draft ?? blankTerms, revision: terms?.revision ?? 0 })
  const [text, setText] = useState(start.text)
  const save = useSaveTerms()
  const begin = (fresh: DeskTerms) => setStart({ text: fresh.draft, revision: fresh.revision })
  const isConflict = save.error instanceof ApiError && save.error.code === 'conflict'
  return {
    text,
    change: (part: Partial<TermsText>) => setText((now) => ({ ...now, ...part })),
    isDirty: !isSame(text, start.text),
    isSaving: save.isPending,
    error: save.error,
    isConflict,
    fieldErrors: save.error instanceof ApiError ? save.error.fieldErrors : {},
    /** Returns the terms as stored; null when the save was refused. */
    async save(): Promise<DeskTerms | null> {
      const sent = text
      const answer = await save.mutateAsync({ _id: terms?._id, revision: start.revision, text: sent }).catch(() => null)
      if (!answer) return null
      begin(answer.terms)
      // Takes the text as sanitized by the server, unless staff typed since sending.
      setText((now) => (now === sent ? answer.terms.draft : now))
      return answer.terms
    },
    undo: () => {
      setText(start.text)
      save.reset()
    },
    /** Resolves a conflict: `mine` overwrites the colleague's text with the next save, `theirs` replaces this one. */
    goOnFrom(fresh: DeskTerms, whose: 'mine' | 'theirs') {
      begin(fresh)
      if (whose === 'theirs') setText(fresh.draft)
      save.reset()
    },
  }
}

export type TermsForm = ReturnType<typeof useTermsForm>
