import type { AddDocumentsInput } from '@atrium/contract/documents/calls.ts'
import { addDocuments, searchFileCategories } from '@atrium/contract/documents/calls.ts'
import { generalSet } from '@atrium/contract/documents/states.ts'
import { limits } from '@atrium/contract/limits.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import type { DocumentsQuery } from '../../api/generated/graphql.ts'
import { call, graph } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { documentsQuery } from './documents.queries.ts'

export type MemberDocument = DocumentsQuery['documents'][number]
export type Progress = DocumentsQuery['documents_progress']
export type Need = Progress['needs'][number]

/** Refetched while the page is open, because staff decide on the documents. */
export const refreshMs = 30_000

export function useDocuments() {
  return useQuery({
    queryKey: ['documents'],
    queryFn: async () => (await graph(documentsQuery, { limit: limits.pageSizeMax })).data,
    refetchInterval: refreshMs,
  })
}

export function useFileCategories(kycCategoryId: string | null | undefined) {
  const set = kycCategoryId ?? generalSet
  return useQuery({
    queryKey: ['file-categories', set],
    queryFn: async () => (await call(searchFileCategories, { kyc_category_id: set })).categories,
  })
}

/** Adds KYC documents, notifies, and refetches all related queries; each reason for a refusal is a warning. */
export function useAddDocuments(onAdded: () => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: AddDocumentsInput) => call(addDocuments, input),
    onSuccess: ({ msg }) => {
      toast.done(msg.map((line) => t(line)).join(' '))
      onAdded()
    },
    onError: (error) => {
      for (const line of sentencesOf(error)) toast.warning(t(line))
    },
    onSettled: () =>
      Promise.all(['documents', 'profile', 'session'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  })
}

function sentencesOf(error: Error): string[] {
  const fields = error instanceof ApiError ? Object.values(error.fieldErrors).flat() : []
  return fields.length > 0 ? [...new Set(fields)] : [error.message]
}
