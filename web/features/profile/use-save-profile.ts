import type { Call, CallInput } from '@atrium/contract/call.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Profile } from './use-profile.ts'

/** The profile that a form changes: the one it was opened with, and after a conflict the newest. */
export function useOpenedProfile(profile: Profile) {
  const [opened] = useState(profile)
  const isStale = useRef(false)
  return {
    opened,
    base: () => (isStale.current ? profile : opened),
    onRefused(problem: Error) {
      isStale.current ||= isConflict(problem)
    },
  }
}

/** Every call that changes the profile answers with messages. */
type Saved = { msg: string[] }

/** Saves a part of the member's own profile and shows the result; refetches after success and failure. */
export function useSaveProfile<C extends Call>(definition: C) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: (input: CallInput<C>) => call(definition, input) as Promise<Saved>,
    onSuccess: ({ msg }) => toast.done(msg.map((line) => t(line)).join(' ')),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['profile'] }),
        queries.invalidateQueries({ queryKey: ['session'] }),
      ]),
  })
  return {
    isSaving: saving.isPending,
    /** For a form that shows its refusal itself. */
    send: saving.mutateAsync,
    save: (input: CallInput<C>) => saving.mutate(input),
    /** Why the last choice was not saved, for display beside the choices: a toast would be gone before it is read. */
    problem: saving.error ? [saving.error.message] : [],
  }
}
