import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, isNotSent } from '../../api/api-error.ts'
import { fieldsBy, type Schema, schemaErrors } from '../../api/form-errors.ts'
import { mergeValues, type Values } from '../../forms/merge-values.ts'
import { type Post, useCallForm } from '../../forms/use-call-form.ts'
import { useLostSave } from '../../forms/use-lost-save.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { DialogTools } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { refreshBeneficiaries } from './refresh-beneficiaries.ts'

/** A draft carries the revision that it began with, also when it is restored after an ended session. */
type Seen = { seen: string | undefined }

type FormSettings<Draft extends Seen, Field extends keyof Draft & string> = {
  start: Draft
  schema: Schema
  labels: Record<Field, string>
  /** A new beneficiary is created once, under the form's idempotency key. */
  isNew: boolean
  tools: DialogTools
  /** What has been saved since the form began; null if it cannot be read. */
  readAgain: () => Promise<Draft | null>
  /** Returns the messages to show; also sends what must precede the form, such as a picture. */
  send: (draft: Draft, post: Post) => Promise<{ msg: string[] }>
}

/**
 * A beneficiary form: validates by the server's schema, sends, and closes when saved. When another tab or device has saved the
 * account meanwhile, untouched fields take the new values, changed ones stay, and the form says so before it saves again.
 */
export function useBeneficiaryForm<Draft extends Seen, Field extends keyof Draft & string>(
  settings: FormSettings<Draft, Field>,
) {
  const { start, schema, labels, isNew, tools, readAgain, send } = settings
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [begun, setBegun] = useState(start)
  const [isOvertaken, setOvertaken] = useState(false)
  const lost = useLostSave<Draft>()
  const takeNewer = async () => {
    // Without an answer the refusal stays beside the button, and the next save reads again.
    const newer = await readAgain()
    if (!newer) return
    const before = lost.begun(begun, newer)
    setBegun(newer)
    setOvertaken(true)
    const onNewer = (mine: Draft) => mergeValues(before as Values, mine as Values, newer as Values).values as Draft
    form.rebase(newer, (mine) => ({ ...onNewer(mine), seen: newer.seen }))
  }
  const form = useCallForm({
    start,
    labels,
    check: (draft) => schemaErrors(schema, draft, fieldsBy(labels)),
    key: isNew ? 'form_submit' : undefined,
    send,
    onDone: async ({ msg }) => {
      toast.done(msg.map((line) => t(line)).join(' '))
      tools.onSaved()
      await refreshBeneficiaries(queries)
    },
    onRefused: (error, sent) => {
      lost.note(error, sent)
      if (error.message === beneficiaryTexts.changedElsewhere) return takeNewer()
      // The field or the button shows these errors.
      if (isNotSent(error) || (error instanceof ApiError && Object.keys(error.fieldErrors).length > 0)) return
      if (error.message === beneficiaryTexts.qrFailed) toast.warning(t(beneficiaryTexts.qrFailed))
      else toast.refused(t(beneficiaryTexts.saveFailed))
    },
    onDirty: tools.onDirty,
  })
  return { ...form, isOvertaken }
}
