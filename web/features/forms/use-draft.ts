import type { CallInput } from '@atrium/contract/call.ts'
import { saveDraft } from '@atrium/contract/forms.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { createDraftKeeper, type DraftKeeper, type Keeping } from './draft-keeper.ts'
import type { FormStore } from './form-store.ts'
import type { OpenedForm } from './use-forms.ts'

const restMs = 1_000
const againMs = 10_000

/** Keeps what is entered on the server, so that it is there on another device and after a closed window. */
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
      restMs,
      againMs,
      reasonOf,
      save: async (revision) => {
        const answers = store.entered() as CallInput<typeof saveDraft>['answers']
        const input = { form: form._id, version: form.version, answers, step: store.place().step, revision }
        return (await call(saveDraft, input, { isQuiet: true })).draft
      },
    }),
  )
  useEffect(() => {
    keeper.watch(true)
    const stop = store.subscribeToEdits(keeper.touch)
    return () => {
      stop()
      keeper.watch(false)
    }
  }, [store, keeper])
  const keeping = useSyncExternalStore(keeper.subscribe, keeper.keeping)
  return { keeper, keeping }
}

function reasonOf(error: unknown): NonNullable<Keeping['problem']> {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return 'failed'
  return error.fieldErrors.version ? 'changed' : 'elsewhere'
}
