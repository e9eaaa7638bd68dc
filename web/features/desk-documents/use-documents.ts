import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import type { DeskDocument, MemberKycDocuments } from '@atrium/contract/documents/desk-calls.ts'
import * as desk from '@atrium/contract/documents/desk-calls.ts'
import { documentsList } from '@atrium/contract/documents/desk-list.ts'
import { isHeld } from '@atrium/contract/files/calls.ts'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { fetchPrivateFile } from '../../api/private-file.ts'
import { call } from '../../api/transport.ts'

const refreshMs = 10_000

export type DocumentsAnswer = CallAnswer<typeof desk.deskDocumentCalls.list>
export const documents = listSource(documentsList, desk.deskDocumentCalls, { refreshMs: () => refreshMs })

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-document', id],
    queryFn: async () => (await call(desk.readDeskDocument, { id })).document,
    staleTime: 2_000,
    refetchInterval: refreshMs,
  })

export const kycDocumentsQuery = (memberId: string) =>
  queryOptions({
    queryKey: ['desk-member-documents', memberId],
    queryFn: async () => (await call(desk.readMemberKycDocuments, { id: memberId })).papers,
    staleTime: 2_000,
    refetchInterval: refreshMs,
  })

export const fileQuery = ({ _id, file }: DeskDocument) =>
  queryOptions({
    queryKey: ['desk-document-file', _id],
    queryFn: () => fetchPrivateFile(file),
    enabled: !isHeld(file.scan),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

export type Verdict =
  | { do: 'verify'; expires_on: string | null }
  | { do: 'reject'; reason: string }
  | { do: 'unverify'; reason: string }
  | { do: 'release'; reason: string }

type Decided = Pick<DeskDocument, '_id' | 'status'>

function send({ _id: id, status: seen }: Decided, verdict: Verdict) {
  if (verdict.do === 'verify') return call(desk.verifyDocument, { id, seen, expires_on: verdict.expires_on })
  const { reason } = verdict
  const calls = { reject: desk.rejectDocument, unverify: desk.unverifyDocument, release: desk.releaseDocumentFile }
  return call(calls[verdict.do], { id, seen, reason })
}

const readAgain = (queries: QueryClient) =>
  Promise.all(
    [documents.key, 'desk-document', 'desk-member-documents', 'desk-member', 'desk-members'].map((name) =>
      queries.invalidateQueries({ queryKey: [name] }),
    ),
  )

/** `decided`: the document as the dialog showed it. Refetches all KYC document queries after every outcome. */
export function useVerdict(decided: Decided) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (verdict: Verdict) => (await send(decided, verdict)).document,
    onSuccess: (document) => queries.setQueryData(documentQuery(decided._id).queryKey, document),
    onSettled: () => readAgain(queries),
  })
}

export type KycDocumentsChange =
  | { do: 'request'; input: Omit<CallInput<typeof desk.requestDocument>, 'id'> }
  | { do: 'withdraw'; request: string }
  | { do: 'set'; kyc_category_id: string | null; seen: string | null }
  | { do: 'elsewhere'; elsewhere: boolean; reason: string }

function change(id: string, wanted: KycDocumentsChange): Promise<{ papers: MemberKycDocuments }> {
  switch (wanted.do) {
    case 'request':
      return call(desk.requestDocument, { id, ...wanted.input })
    case 'withdraw':
      return call(desk.withdrawDocumentRequest, { id: wanted.request })
    case 'set':
      return call(desk.setKycCategory, { id, kyc_category_id: wanted.kyc_category_id, seen: wanted.seen })
    case 'elsewhere':
      return call(desk.setKycDocumentsElsewhere, { id, elsewhere: wanted.elsewhere, reason: wanted.reason })
  }
}

export function useKycDocumentsChange(memberId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (wanted: KycDocumentsChange) => (await change(memberId, wanted)).papers,
    onSuccess: (changed) => queries.setQueryData(kycDocumentsQuery(memberId).queryKey, changed),
    onSettled: () => readAgain(queries),
  })
}
