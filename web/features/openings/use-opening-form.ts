import { openDemoAccount, openLiveAccount } from '@atrium/contract/openings/calls.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { openingTexts } from '@atrium/contract/openings/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { type Block, blockOfRefusal } from './eligibility.ts'
import {
  checkDraft,
  firstDraft,
  type OfferedPlatform,
  type OpeningDraft,
  openingFieldFor,
  openingLabels,
  toBody,
} from './opening-draft.ts'
import { openingsKey } from './use-openings.ts'

type OpeningFormSettings = { kind: AccountKind; platforms: OfferedPlatform[]; leverage: readonly number[] }

const calls = { live: openLiveAccount, demo: openDemoAccount }

/** The form of an opening. */
export function useOpeningForm({ kind, platforms, leverage }: OpeningFormSettings) {
  const queries = useQueryClient()
  const platformOf = ({ platformId }: OpeningDraft) => platforms.find(({ id }) => id === platformId)
  const form = useCallForm({
    start: firstDraft(platforms, leverage),
    labels: openingLabels,
    fieldFor: openingFieldFor,
    fieldsOf: { platformId: ['platform', 'group', 'password'], password: ['password', 'confirmation'] },
    check: (draft) => checkDraft(draft, platformOf(draft)),
    incomplete: openingTexts.openingIncomplete,
    key: 'account_opening',
    send: (draft, { key, ...options }) => call(calls[kind], { ...toBody(draft), nonce_token: key }, options),
    // The password has been sent; the form must not hold it any longer.
    startAfter: (draft) => ({ ...draft, password: '', confirmation: '' }),
    // Runs before the button is enabled again: the opening in progress replaces the form.
    onSettled: () => queries.invalidateQueries({ queryKey: openingsKey }),
    // A refusal is final. A request that never left this page changes nothing about an earlier attempt.
    endsKey: (error) => !error.isOutcomeUnknown && error.code !== 'not_sent',
    afterDone: 'anew',
    besides: 'button',
  })
  const { error, answer } = form
  return {
    ...form,
    platform: platformOf(form.values),
    /** A block that the server reported and this page did not know. */
    block: (error instanceof ApiError && blockOfRefusal[error.code]) || (null as Block | null),
    opened: answer?.trading_account ?? null,
    /** The opening that this form started and whose outcome its answer left open. */
    watchedId: answer?.status === 'checking' ? answer.opening_id : null,
  }
}

export type OpeningForm = ReturnType<typeof useOpeningForm>
