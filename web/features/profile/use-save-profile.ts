import type { Call, CallInput } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { notice } from '../../ui/feedback/notice.ts'

/** Every call that changes the profile says what it did. */
type Said = { msg: string[] }
type Outcome = { onSaved?: () => void; onRefused?: (error: Error) => void }

/** True when another tab or device was faster: nothing was overwritten, and what it wrote is being loaded. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'

/** Saves a part of the own profile and says so; whatever comes of it, what is shown is read again. */
export function useSaveProfile<C extends Call>(definition: C) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: (input: CallInput<C>) => call(definition, input) as Promise<Said>,
    onSuccess: ({ msg }) => notice.done(msg.map((line) => t(line)).join(' ')),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['profile'] }),
        queries.invalidateQueries({ queryKey: ['session'] }),
      ]),
  })
  return {
    isSaving: saving.isPending,
    /** For a form that says itself why it was refused. */
    send: saving.mutateAsync,
    save(input: CallInput<C>, { onSaved, onRefused }: Outcome = {}) {
      saving.mutate(input, {
        onSuccess: () => onSaved?.(),
        onError: (error) => (onRefused ? onRefused(error) : notice.refused(t(error.message), limits.toastMs)),
      })
    },
  }
}
