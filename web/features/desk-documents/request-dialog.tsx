import type { MemberKycDocuments } from '@atrium/contract/documents/desk-calls.ts'
import { documentTexts } from '@atrium/contract/documents/texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { fieldsBy } from '../../api/form-errors.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Select } from '../../ui/fields/select.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useKycDocumentsChange } from './use-documents.ts'

/** Requests another KYC document from one member, in addition to the general requirements. */
export function RequestDialog({
  memberDocuments,
  onClose,
}: {
  memberDocuments: MemberKycDocuments
  onClose: () => void
}) {
  const { t } = useTranslation()
  const change = useKycDocumentsChange(memberDocuments.member._id)
  const form = useCallForm({
    start: { category: null as string | null, valid: null as string | null, note: '' },
    labels: {
      category: 'Category',
      valid: 'Document (optional)',
      note: 'What exactly is needed? (shown to the member)',
    },
    check: ({ category }) => (category ? {} : { category: [documentTexts.categoryUnknown] }),
    fieldFor: fieldsBy({ category: '', valid: '', note: '' }, { valid_document: 'valid' }),
    send: ({ category, valid, note }) =>
      change.mutateAsync({
        do: 'request',
        input: { category: category ?? '', note, ...(valid && { valid_document: valid }) },
      }),
    onDone: () => {
      toast.done(t('The member has been asked.'))
      onClose()
    },
  })
  const offered = memberDocuments.categories
    .find(({ _id }) => _id === form.values.category)
    ?.valid_documents.filter((each) => !each.archived)
  return (
    <CallDialog
      form={form}
      title={t('Ask {{name}} for another document', { name: memberDocuments.member.name })}
      size={480}
      submit={t('Ask the member')}
      cancel={t('Not now')}
      onClose={onClose}
    >
      <Select
        label={t('Category')}
        required
        data={memberDocuments.categories.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={form.values.category}
        error={form.errorOf('category')}
        onChange={(category) => form.change({ category, valid: null })}
      />
      {offered && offered.length > 0 && (
        <Select
          label={t('Document (optional)')}
          clearable
          data={offered.map(({ _id, name }) => ({ value: _id, label: name }))}
          value={form.values.valid}
          error={form.errorOf('valid')}
          onChange={(valid) => form.change({ valid })}
        />
      )}
      <Textarea
        label={t('What exactly is needed? (shown to the member)')}
        size="sm"
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={form.values.note}
        error={form.errorOf('note')}
        onChange={(event) => form.change({ note: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
