import type { DeskTerms, TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useNewerValues } from '../../forms/use-newer-values.ts'
import { useSaveTerms } from './use-terms.ts'

const blankTerms: TermsText = {
  name: '',
  tickbox_text: '',
  template: '',
  blocked_portal_sections: ['all'],
}

export const fieldLabels = {
  name: 'Name',
  template: 'Text',
  tickbox_text: 'Text of the checkbox',
  blocked_portal_sections: 'Closed until they are accepted',
} as const

/** The form of one draft, on top of the revision that it shows. */
export function useTermsForm(terms: DeskTerms | null, onSaved: (saved: DeskTerms) => void) {
  const [revision, setRevision] = useState(terms?.revision ?? 0)
  const save = useSaveTerms()
  const form = useCallForm({
    start: terms?.draft ?? blankTerms,
    labels: fieldLabels,
    send: async (text) => (await save.mutateAsync({ _id: terms?._id, revision, text })).terms,
    // The text as sanitized by the server.
    startAfter: (_sent, saved) => saved.draft,
    onDone: (saved) => {
      setRevision(saved.revision)
      onSaved(saved)
    },
    afterDone: 'anew',
  })
  /** Resolves a conflict: `mine` overwrites the colleague's text with the next save, `theirs` replaces this one. */
  const goOnFrom = (fresh: DeskTerms, whose: 'mine' | 'theirs') => {
    setRevision(fresh.revision)
    form.rebase(fresh.draft, (now) => (whose === 'mine' ? now : fresh.draft))
  }
  useNewerValues(form, terms !== null && terms.revision > revision, () => terms && goOnFrom(terms, 'theirs'))
  return {
    ...form,
    isConflict: isConflict(form.error),
    /** Publishing renews the revision of the text shown. */
    onPublished: ({ revision }: DeskTerms) => setRevision(revision),
    goOnFrom,
  }
}

export type TermsForm = ReturnType<typeof useTermsForm>
