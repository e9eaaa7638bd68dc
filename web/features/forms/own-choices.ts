import type { FieldOption } from '@atrium/contract/forms/definition.ts'

/** The member's own accounts of one kind: undefined while loading; `unread` says why they could not be loaded. */
export type OwnList = { options: FieldOption[] | undefined; unread?: { why: string; again: () => void } }

/** Provided by the component that shows the form. */
export type OwnChoices = { accounts: OwnList; banks: OwnList }

/** For a preview, which has no member. */
export const noOwnChoices: OwnChoices = { accounts: { options: [] }, banks: { options: [] } }
