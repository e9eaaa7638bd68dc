import { limits } from '@atrium/contract/limits.ts'
import type { ChangeEvent } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Complaint, type ComplaintAbout, checkComplaint, emptyComplaint } from './complaint.ts'
import { useFiling } from './use-ticket-changes.ts'

type ComplaintDialogProps = { isOpen: boolean; about: ComplaintAbout; onClose: () => void }

const labels: Record<keyof Complaint, string> = { subject: 'Subject', description: 'Description' }

/** The complaint form, available on every page; it creates a ticket. */
export function ComplaintDialog({ isOpen, about, onClose }: ComplaintDialogProps) {
  const { t } = useTranslation()
  const filing = useFiling()
  const { type, model } = about
  const form = useCallForm({
    start: emptyComplaint,
    labels,
    isEdited: ({ subject, description }) => (subject + description).trim() !== '',
    check: checkComplaint,
    send: (complaint) =>
      filing.mutateAsync({ ...complaint, type, ...(model && { model_id: model._id }), priority: 'low' }),
    startAfter: () => emptyComplaint,
    onDone: onClose,
    afterDone: 'anew',
  })
  const fieldOf = (field: keyof Complaint) => ({
    label: t(labels[field]),
    labelProps: requiredLabel,
    required: true,
    withAsterisk: false,
    value: form.values[field],
    error: form.errorOf(field),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      form.change({ [field]: currentTarget.value }),
  })
  return (
    <CallDialog
      id="add-complaint"
      form={form}
      title={t('Complaint')}
      label={t('Complaint')}
      size={520}
      submit={t('Create Ticket')}
      isOpen={isOpen}
      onClose={() => {
        form.undo()
        onClose()
      }}
    >
      <UnsentInput form="complaint" values={form.values} isDirty={form.isDirty} onRestore={form.change} />
      {model && <Callout meaning="grey">{t('About: {{what}}', { what: model.label })}</Callout>}
      <TextInput data-autofocus charsMax={limits.complaintSubjectCharsMax} {...fieldOf('subject')} />
      <Textarea
        autosize
        minRows={4}
        maxRows={10}
        charsMax={limits.complaintDescriptionCharsMax}
        {...fieldOf('description')}
      />
    </CallDialog>
  )
}
