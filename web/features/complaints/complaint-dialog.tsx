import { limits } from '@atrium/contract/limits.ts'
import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core'
import { type ChangeEvent, type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { requiredLabel } from '../../ui/required-label.ts'
import { Callout } from '../../ui/state.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { useWrongFields } from '../../ui/use-wrong-fields.ts'
import { type Complaint, type ComplaintErrors, checkComplaint, emptyComplaint, mailOf } from './complaint.ts'
import parts from './complaint-dialog.module.css'

type ComplaintDialogProps = {
  isOpen: boolean
  /** What the subject begins as; empty where it is about nothing in particular. */
  about?: string
  onClose: () => void
  supportEmail: string
}

const labels: Record<keyof Complaint, string> = { subject: 'Subject', description: 'Description' }

/** The frame in which a member complains, from wherever they are. */
export function ComplaintDialog({ isOpen, about = '', onClose, supportEmail }: ComplaintDialogProps) {
  const { t } = useTranslation()
  const [complaint, setComplaint] = useState(emptyComplaint)
  const [isHandedOver, setHandedOver] = useState(false)
  const isFilled = complaint.subject.trim() !== about || complaint.description.trim() !== ''
  useEffect(() => {
    if (isOpen) setComplaint((before) => (before.subject === '' ? { ...before, subject: about } : before))
  }, [isOpen, about])
  const letGo = () => {
    onClose()
    setComplaint(emptyComplaint)
    setHandedOver(false)
  }
  const { mayLeave, isAsking } = useUnsavedGuard({ isDirty: isOpen && isFilled && !isHandedOver, onLeave: letGo })
  const close = async () => {
    if (await mayLeave()) letGo()
  }
  const change = (changed: Partial<Complaint>) => {
    setComplaint((before) => ({ ...before, ...changed }))
    setHandedOver(false)
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
        onChange={change}
        onCancel={close}
        isHandedOver={isHandedOver}
        onSend={() => {
          setHandedOver(true)
          location.href = mailOf(complaint, supportEmail)
        }}
        supportEmail={supportEmail}
      />
    </Modal>
  )
}

type ComplaintFormProps = {
  complaint: Complaint
  onChange: (changed: Partial<Complaint>) => void
  onSend: () => void
  onCancel: () => void
  isHandedOver: boolean
  supportEmail: string
}

function ComplaintForm({ complaint, onChange, onSend, onCancel, isHandedOver, supportEmail }: ComplaintFormProps) {
  const { t } = useTranslation()
  const [errors, setErrors] = useState<ComplaintErrors>({})
  const { form, tell } = useWrongFields()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = checkComplaint(complaint)
    setErrors(wrong)
    tell((Object.keys(wrong) as (keyof Complaint)[]).map((field) => t(labels[field])))
    if (Object.keys(wrong).length === 0) onSend()
  }
  const fieldOf = (field: keyof Complaint) => ({
    label: t(labels[field]),
    labelProps: requiredLabel,
    required: true,
    withAsterisk: false,
    value: complaint[field],
    error: errors[field] && t(errors[field]),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      onChange({ [field]: currentTarget.value })
      setErrors(({ [field]: _, ...others }) => others)
    },
  })
  return (
    <form ref={form} className={parts.form} onSubmit={submit} noValidate aria-label={t('Complaint')}>
      <TextInput data-autofocus maxLength={limits.complaintSubjectCharsMax} {...fieldOf('subject')} />
      <Textarea
        autosize
        minRows={4}
        maxRows={10}
        maxLength={limits.complaintDescriptionCharsMax}
        {...fieldOf('description')}
      />
      <Callout meaning="blue">
        {isHandedOver
          ? t(
              'Your mail program opens with the complaint in it: send it from there. If nothing opens, write to {{email}}.',
              {
                email: supportEmail,
              },
            )
          : t('Complaints go to {{email}} by mail for now: your mail program opens with the text.', {
              email: supportEmail,
            })}
      </Callout>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          {isHandedOver ? t('Close') : t('Cancel')}
        </Button>
        <Button type="submit">{isHandedOver ? t('Open it again') : t('Open in my mail')}</Button>
      </Group>
    </form>
  )
}
