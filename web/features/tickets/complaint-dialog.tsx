import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal } from '@mantine/core'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useWrongFields } from '../../ui/forms/use-wrong-fields.ts'
import { KeptEntries } from '../../ui/lists/kept-entries.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import {
  type Complaint,
  type ComplaintAbout,
  type ComplaintErrors,
  checkComplaint,
  emptyComplaint,
} from './complaint.ts'
import parts from './complaint-dialog.module.css'
import { useFiling } from './use-ticket-changes.ts'

type ComplaintDialogProps = { isOpen: boolean; about: ComplaintAbout; onClose: () => void }

const labels: Record<keyof Complaint, string> = { subject: 'Subject', description: 'Description' }

/** The complaint form, available on every page; it creates a ticket. */
export function ComplaintDialog({ isOpen, about, onClose }: ComplaintDialogProps) {
  const { t } = useTranslation()
  const [complaint, setComplaint] = useState(emptyComplaint)
  const isFilled = complaint.subject.trim() !== '' || complaint.description.trim() !== ''
  const letGo = () => {
    onClose()
    setComplaint(emptyComplaint)
  }
  const { mayLeave, isAsking } = useUnsavedGuard({ isDirty: isOpen && isFilled, onLeave: letGo })
  const close = async () => {
    if (await mayLeave()) letGo()
  }
  return (
    <Modal
      id="add-complaint"
      opened={isOpen}
      onClose={close}
      closeOnEscape={!isAsking}
      trapFocus={!isAsking}
      title={t('Complaint')}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <ComplaintForm
        complaint={complaint}
        about={about}
        onChange={(changed) => setComplaint((before) => ({ ...before, ...changed }))}
        onCancel={close}
        onFiled={letGo}
      />
    </Modal>
  )
}

type ComplaintFormProps = {
  complaint: Complaint
  about: ComplaintAbout
  onChange: (changed: Partial<Complaint>) => void
  onCancel: () => void
  onFiled: () => void
}

function ComplaintForm({ complaint, about, onChange, onCancel, onFiled }: ComplaintFormProps) {
  const { t } = useTranslation()
  const filing = useFiling()
  const [wrong, setWrong] = useState<ComplaintErrors>({})
  const { form, announce } = useWrongFields()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = checkComplaint(complaint)
    setWrong(found)
    announce((Object.keys(found) as (keyof Complaint)[]).map((field) => t(labels[field])))
    if (Object.keys(found).length > 0 || filing.isPending) return
    const { type, model } = about
    filing.mutate(
      { ...complaint, type, ...(model && { model_id: model._id }), priority: 'low' },
      {
        onSuccess: onFiled,
        onError: (error) => error instanceof ApiError && setWrong(ofFields(error)),
      },
    )
  }
  const fieldOf = (field: keyof Complaint) => ({
    label: t(labels[field]),
    labelProps: requiredLabel,
    required: true,
    withAsterisk: false,
    value: complaint[field],
    error: wrong[field] && t(wrong[field]),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      onChange({ [field]: currentTarget.value })
      setWrong(({ [field]: _, ...others }) => others)
    },
  })
  const isElsewhere = filing.error && Object.keys(wrong).length === 0
  return (
    <form ref={form} className={parts.form} onSubmit={submit} noValidate aria-label={t('Complaint')}>
      <KeptEntries
        form="complaint"
        values={complaint}
        isDirty={complaint.subject.trim() + complaint.description.trim() !== ''}
        onRestore={onChange}
      />
      {about.model && <Callout meaning="grey">{t('About: {{what}}', { what: about.model.label })}</Callout>}
      <TextInput data-autofocus charsMax={limits.complaintSubjectCharsMax} {...fieldOf('subject')} />
      <Textarea
        autosize
        minRows={4}
        maxRows={10}
        charsMax={limits.complaintDescriptionCharsMax}
        {...fieldOf('description')}
      />
      {isElsewhere && <Callout meaning="red">{t(filing.error.message)}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={filing.isPending}>
          {t('Create Ticket')}
        </Button>
      </Group>
    </form>
  )
}

const ofFields = ({ fieldErrors: { subject, description } }: ApiError): ComplaintErrors => ({
  ...(subject?.[0] && { subject: subject[0] }),
  ...(description?.[0] && { description: description[0] }),
})
