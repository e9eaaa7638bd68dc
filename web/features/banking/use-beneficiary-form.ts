import { beneficiaryTexts } from '@atrium/contract/banking/texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, isNotSent } from '../../api/api-error.ts'
import { fieldsBy, type Schema, schemaErrors } from '../../api/form-errors.ts'
import { type Post, useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import type { DialogTools } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { refreshBeneficiaries } from './refresh-beneficiaries.ts'

type FormSettings<Draft extends object, Field extends keyof Draft & string> = {
  start: Draft
  schema: Schema
  labels: Record<Field, string>
  /** A new beneficiary is created once, under the form's idempotency key. */
  isNew: boolean
  tools: DialogTools
  /** Returns the messages to show; also sends what must precede the form, such as a picture. */
  send: (draft: Draft, post: Post) => Promise<{ msg: string[] }>
}

/** A beneficiary form: validates by the server's schema, sends, and closes when saved. */
export function useBeneficiaryForm<Draft extends object, Field extends keyof Draft & string>(
  settings: FormSettings<Draft, Field>,
) {
  const { start, schema, labels, isNew, tools, send } = settings
  const { t } = useTranslation()
  const queries = useQueryClient()
  return useCallForm({
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
    onRefused: (error) => {
      // The field or the button shows these errors.
      if (isNotSent(error) || (error instanceof ApiError && Object.keys(error.fieldErrors).length > 0)) return
      if (error.message === beneficiaryTexts.qrFailed) toast.warning(t(beneficiaryTexts.qrFailed))
      else toast.refused(t(beneficiaryTexts.saveFailed))
    },
    onDirty: tools.onDirty,
  })
}
