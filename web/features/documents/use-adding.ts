import { type FileCategory, searchFileCategories } from '@atrium/contract/documents/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Need } from './use-documents.ts'

/** The KYC document to add: its category, and the staff request that it answers, if any. */
export type Adding = { category: FileCategory; request?: string | undefined; validDocument?: string | null | undefined }

/** What the dialog adds; null while it is closed. */
export function useAdding(known: FileCategory[]) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState<Adding | null>(null)
  /** Keeps what is open: a late answer must not replace what is being filled in. */
  const open = ({ kind, _id, valid_document }: Need, category: FileCategory) =>
    setAdding((now) => now ?? { category, ...(kind === 'request' && { request: _id, validDocument: valid_document }) })
  /** Staff may request a document of a category that the member does not see: of another set, or archived since. */
  const finding = useMutation({
    mutationFn: ({ _id }: Need) => call(searchFileCategories, { request: _id }),
    onSuccess: ({ categories }, need) => {
      const found = categories.find(({ _id }) => _id === need.category)
      if (found) open(need, found)
      else toast.refused(t(texts.requestFailed))
    },
    onError: (error) => toast.refused(t(error.message)),
  })
  return {
    adding,
    add: (category: FileCategory) => setAdding({ category }),
    addFor(need: Need) {
      const found = known.find(({ _id }) => _id === need.category)
      if (found) open(need, found)
      else finding.mutate(need)
    },
    close: () => setAdding(null),
  }
}
