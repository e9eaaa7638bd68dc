import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import { readyMadeForms } from '@atrium/contract/forms/ready-made.ts'
import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import parts from './forms.module.css'
import { ImportField } from './import-field.tsx'
import { emptyForm } from './new-field.ts'
import { useAddForm } from './use-forms.ts'

const fromNothing = 'nothing'
const fromFile = 'file'

/** Begins a form: from nothing, with a ready-made one, or with one that was taken out elsewhere. */
export function NewFormDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('New form')}
      size={560}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <NewForm onClose={onClose} />
    </Modal>
  )
}

function NewForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const add = useAddForm()
  const [start, setStart] = useState(fromNothing)
  const [name, setName] = useState('')
  const [imported, setImported] = useState<FormDefinition | null>(null)
  const [isTried, setTried] = useState(false)
  const readyMade = readyMadeForms.find(({ key }) => key === start)
  const definition = readyMade?.definition ?? (start === fromFile ? imported : emptyForm(t))
  const choose = (next: string) => {
    const before = readyMade?.name
    const chosen = readyMadeForms.find(({ key }) => key === next)
    // A name that somebody has written stays.
    if (name === '' || name === before) setName(chosen?.name ?? '')
    setStart(next)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (name.trim() === '' || !definition || add.isPending) return
    const category = readyMade?.category ?? null
    const values = { show_on: null, is_request: true, category, vendors: [], departments: [] }
    add.mutate(
      { ...values, name, definition },
      {
        onSuccess: ({ form }) => {
          notice.done(t('Form created. Members see it once a request type has it.'))
          onClose()
          navigate({ to: '/forms/$formId/{-$part}', params: { formId: form._id, part: undefined } })
        },
      },
    )
  }
  return (
    <form className={parts.dialog} onSubmit={submit} noValidate>
      <Radio.Group label={t('Begin with')} value={start} onChange={choose}>
        <div className={parts.choices}>
          <Radio value={fromNothing} label={t('An empty form')} />
          {readyMadeForms.map(({ key, name: label, description }) => (
            <Radio key={key} value={key} label={label} description={description} />
          ))}
          <Radio value={fromFile} label={t('A file that was exported')} />
        </div>
      </Radio.Group>
      {start === fromFile && (
        <ImportField
          onImported={(next, named) => {
            setImported(next)
            if (named && name === '') setName(named)
          }}
        />
      )}
      <TextInput
        label={t('Name')}
        description={t('Staff and members read it.')}
        charsMax={limits.nameCharsMax}
        value={name}
        error={isTried && name.trim() === '' ? t(texts.fieldsMissing) : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isTried && !definition && <Callout meaning="amber">{t('Choose the file of a form first.')}</Callout>}
      {add.error && <Callout meaning="red">{t(add.error.message)}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={add.isPending} onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={add.isPending}>
          {t('Create form')}
        </Button>
      </Group>
    </form>
  )
}
