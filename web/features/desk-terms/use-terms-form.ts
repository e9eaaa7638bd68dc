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

/** One text under work: what it began with, what is in it now, and how it is saved. */
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
    /** Answers the template as it was stored; null when it was refused. */
    async save(): Promise<DeskTerms | null> {
      const sent = text
      const answer = await save.mutateAsync({ _id: terms?._id, revision: start.revision, text: sent }).catch(() => null)
      if (!answer) return null
      begin(answer.terms)
      // The server stores what it keeps of a text; what was typed meanwhile stays.
      setText((now) => (now === sent ? answer.terms.draft : now))
      return answer.terms
    },
    undo: () => {
      setText(start.text)
      save.reset()
    },
    /** After somebody else saved: over theirs with the next save, or theirs instead of this. */
    goOnFrom(fresh: DeskTerms, whose: 'mine' | 'theirs') {
      begin(fresh)
      if (whose === 'theirs') setText(fresh.draft)
      save.reset()
    },
  }
}

export type TermsForm = ReturnType<typeof useTermsForm>
