import type { CallAnswer } from '@atrium/contract/call.ts'
import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import * as desk from '@atrium/contract/forms/desk-calls.ts'
import { formsList } from '@atrium/contract/forms/desk-list.ts'
import { submissionsList } from '@atrium/contract/forms/submissions-list.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listSource } from '../../api/list-source.ts'
import { call } from '../../api/transport.ts'

/** A member's answers and the form version that they answered. */
export type Answered = CallAnswer<typeof desk.readSubmission>['submission']['answered']

const oneKey = (id: string) => ['desk-form', id]

export const forms = listSource(formsList, { list: desk.listForms })

/** Fetched on opening and not refetched automatically, because staff may be editing it. */
export const formQuery = (id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: async () => (await call(desk.readForm, { id })).form,
    staleTime: 5_000,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  })

/** A version never changes. */
export const formVersionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['desk-form-version', id, version],
    queryFn: async () => (await call(desk.readFormVersion, { id, version })).version,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Each call returns the updated form, which all screens then show. */
function useFormAct<Input>(act: (input: Input) => Promise<{ form: desk.DeskForm }>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async ({ form }) => {
      // A reading that began before may answer the form as it was.
      await queries.cancelQueries({ queryKey: oneKey(form._id) })
      queries.setQueryData(oneKey(form._id), form)
      for (const key of [forms.key, 'desk-request-types', 'desk-audit']) queries.invalidateQueries({ queryKey: [key] })
    },
  })
}

export const useAddForm = () =>
  useFormAct((input: desk.FormValues & { definition: FormDefinition }) => call(desk.addForm, input))

export const useChangeForm = (id: string) =>
  useFormAct((values: desk.FormValues & { seen: string | undefined }) => call(desk.changeForm, { ...values, id }))

export const usePublishForm = (id: string) =>
  useFormAct((input: { definition: FormDefinition; based_on: number }) => call(desk.publishForm, { ...input, id }))

export const useArchiveForm = (id: string) =>
  useFormAct((archived: boolean) => call(desk.archiveForm, { id, archived }))

/** The CSV table covers one version, with a column for each field, so it is requested separately. */
export const submissionsOf = (id: string) =>
  listSource(submissionsList, { list: desk.listSubmissions }, { fixed: { id } })

export const submissionQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk-submission', id],
    queryFn: async () => (await call(desk.readSubmission, { id })).submission,
    staleTime: 60_000,
  })
