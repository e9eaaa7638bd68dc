import type { CallAnswer, CallInput } from '@atrium/contract/call.ts'
import type { SectionValues, WorkspaceSection } from '@atrium/contract/workspace-settings/desk-calls.ts'
import {
  changeWorkspace,
  provenSections,
  readDeskWorkspace,
  setLogo,
  setVendorLogo,
} from '@atrium/contract/workspace-settings/desk-calls.ts'
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { mergeValues, type Values } from '../../forms/merge-values.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useLostSave } from '../../forms/use-lost-save.ts'
import { useNewerValues } from '../../forms/use-newer-values.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { fieldLabels } from './field-labels.ts'

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

/** A colleague may have changed it. */
function useReload() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: workspaceQuery.queryKey })
}

export function useLogo() {
  const keep = useKeep()
  const reload = useReload()
  const { logo_url: seen } = useWorkspace()
  return useMutation({
    mutationFn: (logo: string | null) => call(setLogo, { logo, seen }),
    onSuccess: ({ workspace }) => keep(workspace),
    onError: reload,
  })
}

export function useVendorLogo(vendor: string) {
  const keep = useKeep()
  const reload = useReload()
  const seen = useWorkspace().vendor_logos[vendor] ?? null
  return useMutation({
    mutationFn: (logo: string | null) => call(setVendorLogo, { vendor, logo, seen }),
    onSuccess: ({ workspace }) => keep(workspace),
    onError: reload,
  })
}

/** Without fields, only the own earlier save has arrived, whose answer was lost. */
type Conflict = { by: string | null; fields: string[] }

/**
 * The form of one settings section. When a colleague saved the section in the meantime, untouched fields take the new values,
 * changed fields stay, and the form warns before it saves again.
 */
export function useSection<Section extends WorkspaceSection>(section: Section) {
  type Stored = SectionValues<Section>
  type Field = keyof Stored & string
  const { t } = useTranslation()
  const queries = useQueryClient()
  const keep = useKeep()
  const newest = useWorkspace()
  const [base, setBase] = useState(newest)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const valuesOf = ({ sections }: DeskWorkspace) => sections[section] as Stored
  const versionOf = ({ versions }: DeskWorkspace) => versions[section]?.version ?? 0
  const begun = valuesOf(base)
  const lost = useLostSave<Stored>()
  const mergeWithTheirs = async (mine: Stored) => {
    // Without an answer the refusal stays beside the button, and the next save reads again.
    const fresh = await queries.fetchQuery(workspaceQuery).catch(() => null)
    if (!fresh) return
    const theirs = valuesOf(fresh)
    const before = lost.begun(begun, theirs)
    const onTheirs = (own: Stored) => mergeValues(before as Values, own as Values, theirs as Values)
    setBase(fresh)
    setConflict({ by: fresh.versions[section]?.by ?? null, fields: onTheirs(mine).changedElsewhere })
    form.rebase(theirs, (now) => onTheirs(now).values as Stored)
  }
  const form = useCallForm<Stored, Field, { workspace: DeskWorkspace }>({
    start: begun,
    labels: Object.fromEntries(Object.keys(begun).map((name) => [name, fieldLabels[name] ?? name])) as Record<
      Field,
      string
    >,
    send: (values) =>
      call(changeWorkspace, { ...values, section, version: versionOf(base) } as unknown as CallInput<
        typeof changeWorkspace
      >),
    startAfter: (_sent, { workspace }) => valuesOf(workspace),
    onDone: ({ workspace }) => {
      keep(workspace)
      setBase(workspace)
      lost.take()
      setConflict(null)
      toast.done(t('Saved. It takes effect now, for everybody.'))
    },
    onRefused: (error, sent) => {
      lost.note(error, sent)
      return isConflict(error) && mergeWithTheirs(sent)
    },
    afterDone: 'anew',
  })
  useNewerValues(form, versionOf(newest) > versionOf(base), () => {
    setBase(newest)
    lost.take()
    setConflict(null)
    form.begin(valuesOf(newest))
  })
  return { ...form, conflict, isProven: provenSections.includes(section) }
}
