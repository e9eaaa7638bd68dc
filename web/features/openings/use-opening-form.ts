import type { AccountKind } from '@atrium/contract/opening-states.ts'
import { openingTexts } from '@atrium/contract/opening-texts.ts'
import { openDemoAccount, openLiveAccount } from '@atrium/contract/openings.ts'
import { getUniqueToken } from '@atrium/contract/sessions.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useNonceKeeper } from '../../api/nonce-keeper.ts'
import { call } from '../../api/transport.ts'
import { type Block, blockOfRefusal } from './eligibility.ts'
import {
  checkDraft,
  type DraftErrors,
  firstDraft,
  type OfferedPlatform,
  type OpeningDraft,
  type OpeningField,
  openingFields,
  placeErrors,
  toBody,
} from './opening-draft.ts'
import { openingsKey } from './use-openings.ts'

type OpeningFormSettings = {
  kind: AccountKind
  platforms: OfferedPlatform[]
  leverage: readonly number[]
  /** The wrong fields in the order of the page. */
  onWrong: (fields: OpeningField[]) => void
}

const calls = { live: openLiveAccount, demo: openDemoAccount }
const fetchToken = async () => (await call(getUniqueToken, { token_key: 'account_opening' })).token

/** Values, messages and the one submit of an opening. */
export function useOpeningForm({ kind, platforms, leverage, onWrong }: OpeningFormSettings) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<OpeningDraft>(() => firstDraft(platforms, leverage))
  const [untouched, setUntouched] = useState(draft)
  const [errors, setErrors] = useState<DraftErrors>({})
  const [refusal, setRefusal] = useState<string[]>([])
  const nonce = useNonceKeeper(fetchToken)
  const isUnderWay = useRef(false)
  const platform = platforms.find(({ id }) => id === draft.platformId)

  const show = (found: DraftErrors, said: string[]) => {
    setErrors(found)
    setRefusal(said)
    const wrong = openingFields.filter((field) => found[field])
    if (wrong.length > 0) onWrong(wrong)
  }
  const attempt = useMutation({
    mutationFn: () => {
      const body = toBody(draft)
      return nonce.send((nonce_token, signal) => call(calls[kind], { ...body, nonce_token }, { signal }))
    },
    onSuccess: () => {
      nonce.forget()
      // It has gone to the platform, and is kept nowhere longer than that.
      const left = { ...draft, password: '', confirmation: '' }
      setDraft(left)
      setUntouched(left)
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return show({}, [texts.requestFailed])
      // What ended with a no is ended. What never left this page changes nothing about an attempt before it.
      if (!error.isOutcomeUnknown && error.code !== 'not_sent') nonce.forget()
      const { errors: placed, others } = placeErrors(error.fieldErrors)
      const listed = [...Object.values(placed).flat(), ...others]
      show(placed, listed.length > 0 ? listed : [error.message])
    },
    onSettled: async () => {
      // Before the button is free again: what is under way stands in place of the form.
      await queries.invalidateQueries({ queryKey: openingsKey })
      isUnderWay.current = false
    },
  })
  const { error } = attempt

  return {
    draft,
    platform,
    errors,
    refusal,
    /** No answer came: the account may be there, and sending it again cannot open a second one. */
    isUnknown: attempt.isError && nonce.isInDoubt(),
    /** Something that the page did not know and the server did. */
    block: (error instanceof ApiError && blockOfRefusal[error.code]) || (null as Block | null),
    change(next: Partial<OpeningDraft>) {
      setDraft((before) => ({ ...before, ...next }))
      setErrors((before) => withoutChanged(before, next))
    },
    submit() {
      // State arrives with the next render; a second press in the same moment must not get through.
      if (isUnderWay.current) return
      const found = checkDraft(draft, platform)
      const isComplete = Object.keys(found).length === 0
      show(found, isComplete ? [] : [openingTexts.openingIncomplete])
      if (!isComplete) return
      isUnderWay.current = true
      attempt.mutate()
    },
    isSubmitting: attempt.isPending,
    opened: attempt.data?.trading_account ?? null,
    /** The opening that this form began and whose end is not known from its answer. */
    watchedId: attempt.data?.status === 'checking' ? attempt.data.opening_id : null,
    isDirty: JSON.stringify(draft) !== JSON.stringify(untouched),
  }
}

const fieldsOfChange: Record<keyof OpeningDraft, OpeningField[]> = {
  platformId: ['platform', 'group', 'password'],
  group: ['group'],
  leverage: ['leverage'],
  password: ['password', 'confirmation'],
  confirmation: ['confirmation'],
}

/** What was said of a field is no longer true once it was changed. */
function withoutChanged(errors: DraftErrors, next: Partial<OpeningDraft>): DraftErrors {
  const touched = (Object.keys(next) as (keyof OpeningDraft)[]).flatMap((name) => fieldsOfChange[name])
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !touched.includes(field as OpeningField)))
}

export type OpeningForm = ReturnType<typeof useOpeningForm>
