import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import type { SectionValues, WorkspaceSection } from '@atrium/contract/workspaces/desk-calls.ts'
import { changeWorkspace, readDeskWorkspace, setLogo, setVendorLogo } from '@atrium/contract/workspaces/desk-calls.ts'
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { mergeValues, type Values } from './merge-values.ts'

export type DeskWorkspace = CallAnswer<typeof readDeskWorkspace>['workspace']

export const workspaceQuery = queryOptions({
  queryKey: ['desk-workspace'],
  queryFn: async () => (await call(readDeskWorkspace, {})).workspace,
  staleTime: 0,
  refetchOnWindowFocus: false,
})

export function useWorkspace(): DeskWorkspace {
  return useSuspenseQuery(workspaceQuery).data
}

/** Also refetches the brand for the desk and the sign-in screen. */
function useKeep() {
  const queries = useQueryClient()
  return (workspace: DeskWorkspace) => {
    queries.setQueryData(workspaceQuery.queryKey, workspace)
    queries.invalidateQueries({ queryKey: ['settings'] })
  }
}

export function useLogo() {
  const keep = useKeep()
  return useMutation({
    mutationFn: (logo: string | null) => call(setLogo, { logo }),
    onSuccess: ({ workspace }) => keep(workspace),
  })
}

export function useVendorLogo(vendor: string) {
  const keep = useKeep()
  return useMutation({
    mutationFn: (logo: string | null) => call(setVendorLogo, { vendor, logo }),
    onSuccess: ({ workspace }) => keep(workspace),
  })
}

type Conflict = { by: string | null; fields: string[] }

/**
 * The form of one settings section. When a colleague saved the section in the meantime, untouched fields take the new values,
 * changed fields stay, and the form warns before it saves again.
 */
export function useSection<Section extends WorkspaceSection>(section: Section) {
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const keep = useKeep()
  const [start, setStart] = useState(workspace)
  const [values, setValues] = useState<SectionValues<Section>>(workspace.sections[section] as SectionValues<Section>)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const begun = start.sections[section] as SectionValues<Section>
  const save = useMutation({
    mutationFn: () => {
      const version = start.versions[section]?.version ?? 0
      return call(changeWorkspace, { ...values, section, version } as unknown as CallInput<typeof changeWorkspace>)
    },
    onSuccess: ({ workspace: saved }) => {
      keep(saved)
      setStart(saved)
      setValues(saved.sections[section] as SectionValues<Section>)
      setConflict(null)
    },
    onError: async (error) => {
      if (!(error instanceof ApiError && error.code === 'conflict')) return
      const fresh = await queries.fetchQuery(workspaceQuery)
      const merged = mergeValues(begun as Values, values as Values, fresh.sections[section] as Values)
      setConflict({ by: fresh.versions[section]?.by ?? null, fields: merged.changedElsewhere })
      setValues(merged.values as SectionValues<Section>)
      setStart(fresh)
    },
  })
  const fieldErrors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return {
    values,
    change: (part: Partial<SectionValues<Section>>) => setValues((before) => ({ ...before, ...part })),
    isDirty: JSON.stringify(values) !== JSON.stringify(begun),
    undo: () => {
      setValues(begun)
      save.reset()
    },
    save,
    conflict,
    errorOf: (field: keyof SectionValues<Section> & string) => fieldErrors[field]?.join(' '),
  }
}
