import { destinationTexts } from '@atrium/contract/destination-texts.ts'
import { getUniqueToken } from '@atrium/contract/sessions.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isNotSent } from '../../api/api-error.ts'
import { type NonceKeeper, useNonceKeeper } from '../../api/nonce-keeper.ts'
import { call } from '../../api/transport.ts'
import type { DialogTools } from '../../ui/form-dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { useTellDirty } from '../../ui/use-tell-dirty.ts'
import { useWrongFields } from '../../ui/use-wrong-fields.ts'
import { type Judge, type Problems, problemsOf } from './draft.ts'
import { refreshDestinations } from './use-banking.ts'

const fetchToken = async () => (await call(getUniqueToken, { token_key: 'form_submit' })).token

type FormSettings<Draft extends object, Field extends keyof Draft & string> = {
  start: Draft
  schema: Judge
  labels: Record<Field, string>
  tools: DialogTools
  /**
   * Answers what to say; whatever has to go ahead of the form, such as a picture, goes with it. What it adds it adds by `once`, under
   * the form's key.
   */
  send: (draft: Draft, once: NonceKeeper['send']) => Promise<{ msg: string[] }>
}

/** A form of a destination: judged as the server judges it, sent, and closed when it is kept. */
export function useDestinationForm<Draft extends object, Field extends keyof Draft & string>(
  settings: FormSettings<Draft, Field>,
) {
  const { start, schema, labels, tools, send } = settings
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { form, tell } = useWrongFields()
  const nonce = useNonceKeeper(fetchToken)
  const [opened] = useState(start)
  const [draft, setDraft] = useState(start)
  const [problems, setProblems] = useState<Problems<Field>>({})
  const isDirty = Object.keys(draft).some((name) => draft[name as keyof Draft] !== opened[name as keyof Draft])
  useTellDirty(isDirty, tools.onDirty)

  const show = (found: Problems<Field>) => {
    setProblems(found)
    const wrong: string[] = (Object.keys(labels) as Field[])
      .filter((field) => found[field])
      .map((field) => labels[field])
    tell(wrong.map((label) => t(label)))
    return Object.keys(found).length === 0
  }
  const sending = useMutation({
    mutationFn: (draft: Draft) => send(draft, nonce.send),
    onSuccess: async ({ msg }) => {
      notice.done(msg.map((line) => t(line)).join(' '))
      tools.onSaved()
      await refreshDestinations(queries)
    },
    onError: (error) => {
      const refused = error instanceof ApiError ? Object.entries(error.fieldErrors) : []
      const found = Object.fromEntries(refused.map(([field, messages]) => [field, messages.join(' ')]))
      if (refused.length > 0) show(found as Problems<Field>)
      // Said beside the button.
      else if (isNotSent(error)) return
      else if (error.message === destinationTexts.qrFailed) notice.warning(t(destinationTexts.qrFailed))
      else notice.refused(t(destinationTexts.saveFailed))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!sending.isPending && show(problemsOf<Field>(schema, draft))) sending.mutate(draft)
  }
  const change = (next: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...next }))
    setProblems((before) => {
      const left = Object.entries(before).filter(([name]) => !(name in next))
      return Object.fromEntries(left) as Problems<Field>
    })
  }
  const problemOf = (field: Field): string | undefined => {
    const found: string | undefined = problems[field]
    return found && t(found)
  }
  const isRefused = sending.error !== null && !(sending.error instanceof ApiError && hasFields(sending.error))
  /** What no field can show. */
  const problem = isRefused ? t(sending.error?.message ?? '') : null
  return { form, draft, problem, problemOf, isSaving: sending.isPending, isDirty, submit, change }
}

const hasFields = (error: ApiError) => Object.keys(error.fieldErrors).length > 0
