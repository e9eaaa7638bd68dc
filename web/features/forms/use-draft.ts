import type { CallInput } from '@atrium/contract/call.ts'
import { saveDraft } from '@atrium/contract/forms/calls.ts'
import { formLimits } from '@atrium/contract/forms/form-limits.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { createDraftKeeper, type DraftKeeper, type Keeping, type SaveFailure } from './draft-keeper.ts'
import type { FormStore } from './form-store.ts'
import type { OpenedForm } from './use-forms.ts'

const debounceMs = 1_000
const againMs = 10_000

/** Saves the input on the server, so that it is available on other devices and after closing the window. */
export function useDraft(
  store: FormStore,
  { form, draft }: OpenedForm,
  startsDirty: boolean,
): { keeper: DraftKeeper; keeping: Keeping } {
  const [keeper] = useState(() =>
    createDraftKeeper({
      known: draft,
      startsDirty,
      edits: store.edits,
      step: () => store.place().step,
      entered: () => ({
        answers: store.entered() as CallInput<typeof saveDraft>['answers'],
        step: store.place().step,
      }),
      debounceMs,
      unsavedMsMax: formLimits.draftUnsavedMsMax,
      againMs,
      reasonOf,
      save: async (revision, entered, submission) => {
        const sent = submission === null ? {} : { nonce_token: submission }
        const input = { form: form._id, version: form.version, ...entered, revision, ...sent }
        return (await call(saveDraft, input, { isQuiet: true })).draft
      },
    }),
  )
  useEffect(() => {
    keeper.watch(true)
    const stops = [store.subscribeToEdits(keeper.touch), store.subscribeToPlace(keeper.touch)]
    return () => {
      for (const stop of stops) stop()
      keeper.watch(false)
    }
  }, [store, keeper])
  const keeping = useSyncExternalStore(keeper.subscribe, keeper.keeping)
  return { keeper, keeping }
}

function reasonOf(error: unknown): SaveFailure {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.isPassing) return 'unanswered'
  if (error.code !== 'conflict') return 'failed'
  if (error.fieldErrors.nonce_token) return 'sent'
  return error.fieldErrors.version ? 'changed' : 'elsewhere'
}
