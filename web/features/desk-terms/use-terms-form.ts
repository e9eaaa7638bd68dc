import type { DeskTerms, TermsText } from '@atrium/contract/terms/desk-calls.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useNewerValues } from '../../forms/use-newer-values.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { termsOneQuery, usePublishTerms, useSaveTerms } from './use-terms.ts'

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

export const termsChanged = 'These terms have changed since you opened them.'

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
    onPublished: (published: DeskTerms) => goOnFrom(published, form.isDirty ? 'mine' : 'theirs'),
    /** Shows a colleague's text and why it was not published: nobody publishes a text that they have not seen. */
    onOvertaken: (fresh: DeskTerms) => {
      goOnFrom(fresh, 'theirs')
      form.refuse(termsChanged)
    },
    goOnFrom,
  }
}

export type TermsForm = ReturnType<typeof useTermsForm>

type Publication = {
  terms: DeskTerms
  onPublished: (published: DeskTerms) => void
  /** Called instead when a colleague has changed the terms since, with their version. */
  onOvertaken: (fresh: DeskTerms) => void
  onClose: () => void
}

/** The question whom a publication asks to accept. */
export function usePublication({ terms, onPublished, onOvertaken, onClose }: Publication) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const publish = usePublishTerms(terms._id)
  return useCallForm({
    start: { who: terms.version === null || terms.is_changed ? 'everybody' : 'rest' },
    labels: { who: 'Who is asked' },
    send: ({ who }) => publish.mutateAsync({ revision: terms.revision, asks_again: who === 'everybody' }),
    onDone: ({ terms: published }) => {
      onPublished(published)
      toast.done(t('Published as version {{version}}.', { version: published.version }))
      onClose()
    },
    onRefused(error) {
      // Read again before the refusal arrives.
      const fresh = queries.getQueryData(termsOneQuery(terms._id).queryKey)
      if (!isConflict(error) || !fresh || fresh.revision === terms.revision) return
      onOvertaken(fresh)
      onClose()
    },
  })
}
